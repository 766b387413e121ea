import type { Millis, Instant } from '../time.ts';
import type { ClusterView } from './cluster-view.ts';
import type { ProberConfig } from './prober-config.ts';
import type { NodeLease } from './node-lease.ts';

/** What the leases of one shoot are judged by. */
export type LeasePolicy = Readonly<{
  grace: Millis;
  /** Above 0, at most 1. */
  failureFraction: number;
}>;

/** The configuration's, unless the shoot's Cluster has its own (SPEC 3.3). */
export function leasePolicyOf(cluster: ClusterView | null, config: ProberConfig): LeasePolicy {
  return {
    grace: cluster?.nodeMonitorGrace ?? config.kcmNodeMonitorGraceDuration,
    failureFraction: config.nodeLeaseFailureFraction,
  };
}

/** Whether a shoot's leases, or which of them count, are judged otherwise than before (SPEC 3.3). */
export function changesPolicy(before: ClusterView, after: ClusterView, config: ProberConfig): boolean {
  const judgedBy = (cluster: ClusterView) =>
    JSON.stringify([
      leasePolicyOf(cluster, config),
      cluster.workers.map(({ name, nodeConditions }) => [name, nodeConditions]),
    ]);
  return judgedBy(before) !== judgedBy(after);
}

/** What the leases say about a shoot's nodes (SPEC 5.3). `expired` and `candidates` count readable leases only. */
export type Verdict =
  | Readonly<{
      kind: 'cutOff';
      expired: number;
      candidates: number;
      /** When enough leases had expired to meet the threshold. */
      crossedAt: Instant;
      /** When the kube-controller-manager would mark the first of the nodes, as far as renewTimes tell. */
      firstMarkAt: Instant;
    }>
  | Readonly<{ kind: 'connected' | 'tooFew'; expired: number; candidates: number }>
  /** Nobody can tell (SPEC 5.8, 5.9). `reached`: by the leases of all nodes that exist, whether they count or not, the shoot would be connected. */
  | Readonly<{ kind: 'unjudged'; expired: number; candidates: number; reached: boolean }>;

/** How many nodes a look found, and of how many the leases count (SPEC 5.2). */
export type NodesLooked = Readonly<{ nodes: number; counting: number }>;

/** There are nodes, and none of their leases counts (SPEC 5.8). A single node could not be judged anyway. */
export function noneCounts({ nodes, counting }: NodesLooked): boolean {
  return counting === 0 && nodes >= 2;
}

/** Not even if all of these expired would the shoot be cut off, though it has nodes (SPEC 5.8, 5.9). */
export function isBlind(
  looked: NodesLooked,
  candidates: readonly NodeLease[],
  { failureFraction }: LeasePolicy,
): boolean {
  const { counting } = looked;
  if (noneCounts(looked)) return true;
  const readable = candidates.filter(({ renewedAt }) => renewedAt !== null).length;
  return (counting > 0 && candidates.length / counting < failureFraction) || (counting > 1 && readable < 2);
}

/**
 * A lease counts as expired at three quarters of the grace period: early enough to act before the
 * kube-controller-manager marks the node, late enough for a kubelet to have tried several times (SPEC 5.1).
 */
export const expiryFraction = 0.75;

export function expiresAt(renewedAt: Instant, grace: Millis): Instant {
  return renewedAt + expiryFraction * grace;
}

export function isExpired(lease: NodeLease, now: Instant, grace: Millis): boolean {
  return lease.renewedAt !== null && now >= expiresAt(lease.renewedAt, grace);
}

/**
 * Judges the leases of the candidates as of `now`, the instant before they were asked for (SPEC 5.1, 5.3). `missing`: so many nodes count and
 * have no lease. They are neither fresh nor expired; where they could turn the verdict, there is none (SPEC 5.9).
 */
export function judgeLeases(candidates: readonly NodeLease[], now: Instant, policy: LeasePolicy, missing = 0): Verdict {
  const expiries = sortedExpiries(candidates, policy.grace);
  const counted = expiries.length;
  const expired = expiries.filter((at) => now >= at).length;

  const all = counted + missing;
  if (counted < 2 || expired / all < policy.failureFraction) {
    if (missing > 0 && (expired + missing) / all >= policy.failureFraction)
      return { kind: 'unjudged', expired, candidates: counted, reached: false };
    // No such node is there.
    if (candidates.length === 0 || all >= 2) return { kind: 'connected', expired, candidates: counted };
    return { kind: 'tooFew', expired, candidates: counted };
  }

  const crossedAt = expiries[neededFor(all, policy.failureFraction) - 1] ?? now;
  const firstMarkAt = (expiries[0] ?? now) + (1 - expiryFraction) * policy.grace;
  return { kind: 'cutOff', expired, candidates: counted, crossedAt, firstMarkAt };
}

/**
 * When the threshold is met if none of these leases is renewed, and `missing` more nodes count and have none. Undefined where it was already met at `since`,
 * or there are too few leases (SPEC 4.6, 5.9).
 */
export function nextCrossing(
  leases: readonly NodeLease[],
  since: Instant,
  policy: LeasePolicy,
  missing = 0,
): Instant | undefined {
  const expiries = sortedExpiries(leases, policy.grace);
  if (expiries.length < 2) return undefined;
  const crossing = expiries[neededFor(expiries.length + missing, policy.failureFraction) - 1];
  return crossing !== undefined && crossing > since ? crossing : undefined;
}

function sortedExpiries(leases: readonly NodeLease[], grace: Millis): readonly Instant[] {
  const expiries: Instant[] = [];
  for (const { renewedAt } of leases) if (renewedAt !== null) expiries.push(expiresAt(renewedAt, grace));
  return expiries.toSorted((a, b) => a - b);
}

/** The least count whose share of `total` reaches `fraction`, by the very division that the verdict uses: 0.07 × 100 is above 7. */
export function neededFor(total: number, fraction: number): number {
  let needed = Math.max(1, Math.floor(total * fraction));
  while (needed < total && needed / total < fraction) needed++;
  return needed;
}
