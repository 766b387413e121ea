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

/** Why a node's lease tells nothing (SPEC 5.2). `of`: the Machine's phase, or the condition. */
export type LeftOut = Readonly<{
  because: 'noNode' | 'unmanaged' | 'inPlaceUpdate' | 'noMachine' | 'leaving' | 'unhealthy' | 'noRenewTime';
  of?: string;
}>;

/** What a look showed, and by which conditions a pool's nodes count as unhealthy anyway. */
export type Look = Readonly<{
  nodes: readonly NodeView[];
  machines: readonly MachineView[];
  unhealthyConditions: (pool: string | undefined) => ReadonlySet<string>;
}>;

/** The leases that can tell whether the nodes reach their API server (SPEC 5.2). */
export function findCandidates(leases: readonly NodeLease[], look: Look): readonly NodeLease[] {
  const whyNot = judgeNodes(look);
  const telling = new Set(look.nodes.filter((node) => whyNot(node) === undefined).map(({ name }) => name));
  return leases.filter(({ node }) => telling.has(node));
}

/** Why a node is left out; undefined where its lease counts. */
export function judgeNodes({ machines, unhealthyConditions }: Look): (node: NodeView) => LeftOut | undefined {
  const staying = new Set(machines.filter(({ phase }) => !leavingPhases.has(phase)).map(({ node }) => node));
  const leaving = new Map(machines.map(({ node, phase }) => [node, phase]));
  return ({ name, pool, unmanaged, inPlaceUpdate, trueConditions }) => {
    if (unmanaged) return { because: 'unmanaged' };
    if (inPlaceUpdate) return { because: 'inPlaceUpdate' };
    if (!staying.has(name)) {
      const phase = leaving.get(name);
      return phase === undefined ? { because: 'noMachine' } : { because: 'leaving', of: phase };
    }
    const unhealthy = unhealthyConditions(pool);
    const condition = trueConditions.find((type) => unhealthy.has(type));
    return condition === undefined ? undefined : { because: 'unhealthy', of: condition };
  };
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
