import type { Millis } from '../time.ts';
import type { ClusterView } from './cluster-view.ts';
import type { ProberConfig } from './prober-config.ts';

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
