import type { ClusterView } from './cluster-view.ts';

/** What makes a node unhealthy where its pool does not say: the machine-controller-manager's own defaults. */
const defaults: readonly string[] = ['KernelDeadlock', 'ReadonlyFilesystem', 'DiskPressure', 'NetworkUnavailable'];

/**
 * The condition types by which a pool's nodes count as unhealthy (SPEC 5.2). An empty list is as good as none, and a
 * node of no pool, or of one that the shoot does not name, is judged by the defaults.
 */
export function nodeConditionsOf(cluster: ClusterView, pool: string | undefined): readonly string[] {
  const own = cluster.workers.find(({ name }) => name === pool)?.nodeConditions ?? [];
  return own.length > 0 ? own : defaults;
}
