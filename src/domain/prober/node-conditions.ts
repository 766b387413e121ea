import type { ClusterView } from './cluster-view.ts';

/** What makes a node unhealthy where its pool does not say: the machine-controller-manager's own defaults. */
const defaults: ReadonlySet<string> = new Set([
  'KernelDeadlock',
  'ReadonlyFilesystem',
  'DiskPressure',
  'NetworkUnavailable',
]);

/**
 * The condition types by which a pool's nodes count as unhealthy (SPEC 5.2). An empty list is as good as none, and a
 * node of no pool, or of one that the shoot does not name, is judged by the defaults. The owner chooses how many there are,
 * so they are gone through once, and not for each node (SPEC 4.7).
 */
export function nodeConditionsOf(workers: ClusterView['workers']): (pool: string | undefined) => ReadonlySet<string> {
  const own = new Map<string | undefined, ReadonlySet<string>>();
  for (const { name, nodeConditions = [] } of workers)
    if (!own.has(name)) own.set(name, nodeConditions.length > 0 ? new Set(nodeConditions) : defaults);
  return (pool) => own.get(pool) ?? defaults;
}
