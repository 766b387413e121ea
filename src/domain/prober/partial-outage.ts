import { naturalOrder } from '../natural-order.ts';
import type { Instant, Millis } from '../time.ts';
import type { NodeView } from './candidates.ts';
import { renewedWithin, type NodeLease } from './node-lease.ts';
import { isExpired } from './verdict.ts';

/** The zone and the pool of a node; absent where its labels do not tell. */
export type NodePlace = Pick<NodeView, 'name' | 'zone' | 'pool'>;

/** Zones, or pools, of a shoot whose nodes have fallen silent while the others renew (SPEC 5.6). */
export type PartialOutage = Readonly<{
  by: 'zone' | 'pool';
  /** Their names, the first ten. */
  groups: readonly string[];
  /** So many of their leases are expired, of so many that count. */
  expired: number;
  nodes: number;
  /** When the kube-controller-manager would mark the first of the nodes, as far as renewTimes tell. */
  firstMarkAt: Instant;
}>;

/** One node that died is no outage. */
const fewestNodes = 2;

/** A kubelet behind a broken gateway may get a renewal through, and one elsewhere may be silent for a reason of its own. */
const nearlyAll = 0.9;
const nearlyNone = 0.1;
/** In a small shoot one dead node is more than a tenth. */
const fewElsewhere = 1;

/** The owner of a shoot chooses how many pools it has, and their names. */
const mostNamed = 10;

/** What a look told of places, of the nodes whose leases count. */
export function placesOf(nodes: readonly NodeView[], candidates: readonly NodeLease[]): readonly NodePlace[] {
  const telling = new Set(candidates.map(({ node }) => node));
  return nodes
    .filter(({ name }) => telling.has(name))
    .map(({ name, zone, pool }) => ({
      name,
      ...(zone === undefined ? {} : { zone }),
      ...(pool === undefined ? {} : { pool }),
    }));
}

type AsOf = Readonly<{ now: Instant; grace: Millis }>;

/** How many leases of these groups are expired. */
export function expiredIn(
  told: Pick<PartialOutage, 'by' | 'groups'>,
  candidates: readonly NodeLease[],
  places: readonly NodePlace[],
  { now, grace }: AsOf,
): number {
  const nodes = nodesOf(told, places);
  return candidates.filter((lease) => nodes.has(lease.node) && isExpired(lease, now, grace)).length;
}

/** The leases of nodes that are in none of these groups. */
export function leasesBeside(
  told: Pick<PartialOutage, 'by' | 'groups'> | null,
  candidates: readonly NodeLease[],
  places: readonly NodePlace[],
): readonly NodeLease[] {
  if (told === null) return candidates;
  const nodes = nodesOf(told, places);
  return candidates.filter(({ node }) => !nodes.has(node));
}

function nodesOf({ by, groups }: Pick<PartialOutage, 'by' | 'groups'>, places: readonly NodePlace[]) {
  return new Set(places.filter((place) => groups.includes(place[by] ?? '')).map(({ name }) => name));
}

/** Zones come first: where each zone has a pool of its own, the zone is what failed. */
export function partialOutage(
  candidates: readonly NodeLease[],
  places: readonly NodePlace[],
  { now, grace }: AsOf,
): PartialOutage | undefined {
  return silentGroups('zone') ?? silentGroups('pool');

  function silentGroups(by: PartialOutage['by']): PartialOutage | undefined {
    const groupOf = new Map(places.map((place) => [place.name, place[by]]));
    const readable = candidates.filter(({ renewedAt }) => renewedAt !== null);
    const groups = Map.groupBy(readable, ({ node }) => groupOf.get(node));
    // What has no label is in no group, and is among the others.
    const isSilent = (name: string | undefined, leases: readonly NodeLease[]) =>
      name !== undefined && leases.length >= fewestNodes && expiredOf(leases).length >= nearlyAll * leases.length;
    const silent = [...groups].filter(([name, leases]) => isSilent(name, leases));
    const others = [...groups].flatMap(([name, leases]) => (isSilent(name, leases) ? [] : leases));
    if (silent.length === 0 || expiredOf(others).length > Math.max(fewElsewhere, nearlyNone * others.length))
      return undefined;
    const leases = silent.flatMap(([, ofGroup]) => ofGroup);
    const expired = expiredOf(leases);
    const silentAt = expired.reduce((last, { renewedAt }) => Math.max(last, renewedAt ?? last), -Infinity);
    // In an outage of all, a zone may expire first. Whoever renewed so much later was not cut off together with it.
    const outliving = others.filter(({ renewedAt }) => (renewedAt ?? 0) > silentAt + renewedWithin);
    if (outliving.length * 2 <= others.length) return undefined;
    return {
      by,
      groups: silent
        .map(([name = '']) => name)
        .toSorted(naturalOrder)
        .slice(0, mostNamed),
      expired: expired.length,
      nodes: leases.length,
      firstMarkAt: grace + expired.reduce((first, { renewedAt }) => Math.min(first, renewedAt ?? Infinity), Infinity),
    };
  }

  function expiredOf(leases: readonly NodeLease[]): readonly NodeLease[] {
    return leases.filter((lease) => isExpired(lease, now, grace));
  }
}

/** So many of the candidates have missed a renewal (SPEC 5.7). */
export type LateLeases = Readonly<{ late: number; candidates: number }>;

/** A kubelet renews four times in a grace. In calm no lease gets as old as half of one, and an outage is decided at three quarters. */
const lateFraction = 0.5;

/** Gardener's own health check speaks at this share of expired leases. One node that died, or is replaced, is no warning. */
const manyFraction = 0.2;
const many = 2;

export function lateLeases(candidates: readonly NodeLease[], { now, grace }: AsOf): LateLeases {
  const readable = candidates.filter(({ renewedAt }) => renewedAt !== null);
  const late = readable.filter(({ renewedAt }) => now - (renewedAt ?? now) >= lateFraction * grace);
  return { late: late.length, candidates: readable.length };
}

export function areMany({ late, candidates }: LateLeases): boolean {
  return late >= many && late / candidates >= manyFraction;
}

/** Half of what begins a warning ends it: a share that stands at the limit says nothing twice. */
export function areFew({ late, candidates }: LateLeases): boolean {
  return late === 0 || late / candidates < manyFraction / 2;
}
