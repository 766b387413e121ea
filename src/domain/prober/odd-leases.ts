import type { NodeView } from './candidates.ts';
import type { SeenLease } from './seen-lease.ts';
import { toleratedDifference } from './served-date.ts';
import type { Instant, Millis } from '../time.ts';
import { expiresAt } from './verdict.ts';

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
 * kube-controller-manager that runs has marked every node that is silent.
 */
export function unrenewedLeases(
  leases: readonly SeenLease[],
  nodes: readonly NodeView[],
  { askedAt, grace }: Readonly<{ askedAt: Instant; grace: Millis }>,
): OddLeases {
  const ready = new Set(nodes.filter(({ trueConditions }) => trueConditions.includes('Ready')).map(({ name }) => name));
  const odd: OddLease[] = [];
  for (const { node, renewedAt } of leases) {
    if (renewedAt === null || !ready.has(node)) continue;
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
