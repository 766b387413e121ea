import { type NodeView, whyLeftOut, type LeftOut, type Look } from './candidates.ts';
import { type SeenLease, toleratedDifference, type NodeLease } from './node-lease.ts';
import type { Instant, Millis } from '../time.ts';
import { expiresAt, isExpired } from './verdict.ts';

/** Leases that something is wrong with: how many, and the worst of them. */
export type OddLeases = Readonly<{ count: number; worst: readonly OddLease[] }>;

/** `by`: how far it is ahead of the time, or for how long it has not been renewed. */
type OddLease = Readonly<{ node: string; by: Millis }>;

/** Enough to see what they have in common. A shoot may have thousands, and its owner chooses their names (SPEC 4.7). */
const mostNamed = 10;

const noOddLeases: OddLeases = { count: 0, worst: [] };

/**
 * The leases whose `renewTime` is ahead of the time by more than clocks may differ (SPEC 5.1). `time`: when they were answered, by
 * the shoot's clock where leases are judged by it. A lease may be renewed while the request is under way, so the instant at which it
 * was sent will not do.
 */
export function leasesAhead(leases: readonly SeenLease[], time: Instant): OddLeases {
  const limit = time + toleratedDifference;
  const odd: OddLease[] = [];
  for (const { node, renewTime } of leases)
    if (renewTime !== null && renewTime > limit) odd.push({ node, by: renewTime - time });
  return worstOf(odd);
}

/** In how many graces after its lease expired a node is marked for certain, where a kube-controller-manager runs. */
const markedWithin = 2;

/**
 * The leases that nobody renews though their nodes are Ready (SPEC 5.5): they have been expired for two graces, and by then a
 * kube-controller-manager that runs has marked every node that is silent. Without a look (`nodes` is null) each of them may be Ready.
 */
export function unrenewedLeases(
  leases: readonly SeenLease[],
  nodes: readonly NodeView[] | null,
  { askedAt, grace }: Readonly<{ askedAt: Instant; grace: Millis }>,
): OddLeases {
  const ready =
    nodes && new Set(nodes.filter(({ trueConditions }) => trueConditions.includes('Ready')).map(({ name }) => name));
  const odd: OddLease[] = [];
  for (const { node, renewedAt } of leases) {
    if (renewedAt === null || ready?.has(node) === false) continue;
    if (askedAt - expiresAt(renewedAt, grace) < markedWithin * grace) continue;
    odd.push({ node, by: askedAt - renewedAt });
  }
  return worstOf(odd);
}

/** Whether a shoot has been calm for so long that its kube-controller-manager has marked every silent node. */
export function hasSettled(calmSince: Instant | null, askedAt: Instant, grace: Millis): boolean {
  return calmSince !== null && askedAt - calmSince >= markedWithin * grace;
}

function worstOf(odd: readonly OddLease[]): OddLeases {
  if (odd.length === 0) return noOddLeases;
  return { count: odd.length, worst: odd.toSorted((one, other) => other.by - one.by).slice(0, mostNamed) };
}

/** The first of some, and how many there are. */
export type FirstOf<One> = Readonly<{ count: number; first: readonly One[] }>;

/** A node, and for how long it has not renewed its lease. */
export type SilentNode = Readonly<{ node: string; silent: Millis }>;

/** Which nodes a look left out, with the reasons, and which have no lease at all (SPEC 5.2, 9.4). */
export type LookAccount = Readonly<{
  leftOut: FirstOf<Readonly<{ node: string }> & LeftOut>;
  withoutLease: FirstOf<string>;
}>;

/** Which leases speak for a verdict (SPEC 9.4), for those who read turns. It decides nothing. */
export type LeaseAccount = Readonly<{ expired: FirstOf<SilentNode> }> & Partial<LookAccount>;

/** Kubernetes takes 253 characters. A shoot's owner may choose the names of nodes, and a line holds some thirty of them. */
const longestShown = 63;

/** The expired leases that count, those that have been silent for longest first. `excluded`: the nodes that a look left out. */
export function accountExpired(
  leases: readonly NodeLease[],
  excluded: readonly string[],
  { askedAt, grace }: Readonly<{ askedAt: Instant; grace: Millis }>,
): FirstOf<SilentNode> {
  const left = new Set(excluded);
  const silent: SilentNode[] = [];
  for (const lease of leases)
    if (lease.renewedAt !== null && isExpired(lease, askedAt, grace) && !left.has(lease.node))
      silent.push({ node: shown(lease.node), silent: askedAt - lease.renewedAt });
  return firstOf(silent.toSorted((one, other) => other.silent - one.silent));
}

export function accountLook(leases: readonly NodeLease[], look: Look): LookAccount {
  const whyNot = whyLeftOut(look);
  const leftOut: (Readonly<{ node: string }> & LeftOut)[] = [];
  for (const { node: name, renewedAt } of leases) {
    const why = whyNot(name) ?? (renewedAt === null ? ({ because: 'noRenewTime' } as const) : undefined);
    if (why !== undefined) leftOut.push({ node: shown(name), ...why });
  }
  const leased = new Set(leases.map(({ node }) => node));
  const withoutLease = look.nodes.filter(({ name }) => !leased.has(name)).map(({ name }) => shown(name));
  return { leftOut: firstOf(leftOut), withoutLease: firstOf(withoutLease) };
}

function firstOf<One>(all: readonly One[]): FirstOf<One> {
  return { count: all.length, first: all.slice(0, mostNamed) };
}

function shown(name: string): string {
  return name.length > longestShown ? `${name.slice(0, longestShown)}…` : name;
}
