import type { ClusterView } from './cluster-view.ts';
import type { NodeLease } from './node-lease.ts';

/** What is kept of a shoot's Node (SPEC 5.2). */
export type NodeView = Readonly<{
  name: string;
  /** Label `worker.gardener.cloud/pool`. */
  pool?: string;
  /** Annotation `node.machine.sapcloud.io/not-managed-by-mcm` is there. */
  unmanaged: boolean;
  /** Types of the conditions that are `True`. */
  trueConditions: readonly string[];
  /** Condition `InPlaceUpdate` with reason ReadyForUpdate or UpdateFailed, whatever its status. */
  inPlaceUpdate: boolean;
}>;

/** What is kept of a Machine in the shoot's namespace (SPEC 5.2). */
export type MachineView = Readonly<{
  /** Label `node`. */
  node: string;
  /** `status.currentStatus.phase`, empty where unset. */
  phase: string;
}>;

/** A node of these Machines is being taken away; that its lease expires says nothing about the network. */
const leavingPhases: ReadonlySet<string> = new Set(['Failed', 'Terminating']);

/**
 * The leases that can tell whether the nodes reach their API server (SPEC 5.2). `unhealthyConditions` gives the
 * condition types by which a pool's nodes count as unhealthy anyway.
 */
export function findCandidates(
  leases: readonly NodeLease[],
  nodes: readonly NodeView[],
  machines: readonly MachineView[],
  unhealthyConditions: (pool: string | undefined) => ReadonlySet<string>,
): readonly NodeLease[] {
  const staying = new Set(machines.filter(({ phase }) => !leavingPhases.has(phase)).map(({ node }) => node));
  const telling = new Set(
    nodes
      .filter((node) => !node.unmanaged && !node.inPlaceUpdate && staying.has(node.name))
      .filter(({ pool, trueConditions }) => isWell(trueConditions, unhealthyConditions(pool)))
      .map(({ name }) => name),
  );
  return leases.filter(({ node }) => telling.has(node));
}

function isWell(trueConditions: readonly string[], unhealthy: ReadonlySet<string>): boolean {
  return !trueConditions.some((type) => unhealthy.has(type));
}

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
