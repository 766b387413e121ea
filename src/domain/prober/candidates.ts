import type { ClusterView } from './cluster-view.ts';
import type { ProberConfig } from './prober-config.ts';
import type { NodeLease } from './node-lease.ts';
import { longestCondition, longestName, longestPool } from '../names.ts';
import { listAt, textAt, valueAt } from '../value-at.ts';

/** What is kept of a shoot's Node (SPEC 5.2). */
export type NodeView = Readonly<{
  name: string;
  /** Label `worker.gardener.cloud/pool`. */
  pool?: string;
  /** Label `topology.kubernetes.io/zone`. */
  zone?: string;
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

/** What a look showed, judged by a shoot's Cluster: all that says which nodes count passes here. */
export function lookOf({ nodes, machines }: Pick<Look, 'nodes' | 'machines'>, { cluster }: JudgedBy): Look {
  return { nodes, machines, unhealthyConditions: nodeConditionsOf(cluster?.workers ?? []) };
}

/** What a machine remembers that its looks are judged by. */
type JudgedBy = Readonly<{ cluster: ClusterView | null; config: ProberConfig }>;

/** The leases of an answer by what a look showed: those that tell, and why each other one does not, in the order of the leases. */
export type LeasesByLook<Lease> = Readonly<{
  candidates: readonly Lease[];
  leftOut: readonly (Readonly<{ node: string }> & LeftOut)[];
  /** Of so many nodes a lease would tell, whether there is one or not. */
  counting: number;
}>;

/** Which leases tell whether their nodes reach their API server (SPEC 5.2). */
export function leasesByLook<Lease extends NodeLease>(leases: readonly Lease[], look: Look): LeasesByLook<Lease> {
  const whyNot = whyLeftOut(look);
  const candidates: Lease[] = [];
  const leftOut: (Readonly<{ node: string }> & LeftOut)[] = [];
  for (const lease of leases) {
    const why = whyNot(lease.node);
    if (why === undefined) candidates.push(lease);
    else leftOut.push({ node: lease.node, ...why });
  }
  return { candidates, leftOut, counting: look.nodes.filter(({ name }) => whyNot(name) === undefined).length };
}

/** Of how many nodes the leases tell nothing for this reason; `noLease`: they count, and have none. */
export type Untold = Readonly<{ because: LeftOut['because'] | 'noLease'; nodes: number }>;

/** Why nodes are not judged by their leases (SPEC 5.8), the reason of most of them first. */
export function untoldNodes(leases: readonly NodeLease[], look: Look): readonly Untold[] {
  const whyNot = whyLeftOut(look);
  const renewals = new Map(leases.map(({ node, renewedAt }) => [node, renewedAt]));
  const ofLease = (node: string) =>
    renewals.has(node) ? (renewals.get(node) === null ? 'noRenewTime' : undefined) : 'noLease';
  const reasons = new Map<Untold['because'], number>();
  for (const { name } of look.nodes) {
    const because = whyNot(name)?.because ?? ofLease(name);
    if (because !== undefined) reasons.set(because, (reasons.get(because) ?? 0) + 1);
  }
  return [...reasons].map(([because, nodes]) => ({ because, nodes })).toSorted((one, other) => other.nodes - one.nodes);
}

/** Why the lease of a node of this name is left out; undefined where it counts. */
export function whyLeftOut(look: Look): (node: string) => LeftOut | undefined {
  const whyNot = judgeNodes(look);
  const nodes = new Map(look.nodes.map((node) => [node.name, whyNot(node)]));
  return (name) => (nodes.has(name) ? nodes.get(name) : { because: 'noNode' });
}

function judgeNodes({ machines, unhealthyConditions }: Look): (node: NodeView) => LeftOut | undefined {
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

const poolLabel = 'worker.gardener.cloud/pool';
const zoneLabel = 'topology.kubernetes.io/zone';
const unmanagedAnnotation = 'node.machine.sapcloud.io/not-managed-by-mcm';

const inPlaceUpdateReasons: ReadonlySet<string> = new Set(['ReadyForUpdate', 'UpdateFailed']);

/**
 * Keeps of a Node what makes it a candidate or not (SPEC 5.2). Anything may come in. Undefined where there is no usable
 * name, which no API server would send.
 *
 * All conditions at True are kept, and not those alone that the shoot's pools call unhealthy: these stand in the Cluster
 * as it is when the machine judges, and a replay must find there what the machine found. An honest node has one or two; how
 * many all nodes of a shoot may have together, the list bounds (SPEC 4.7).
 */
export function readNode(object: unknown): NodeView | undefined {
  const name = textAt(object, 'metadata', 'name');
  if (name === '' || name.length > longestName) return undefined;
  const pool = textAt(object, 'metadata', 'labels', poolLabel);
  const zone = textAt(object, 'metadata', 'labels', zoneLabel);
  const conditions = listAt(object, 'status', 'conditions');
  return {
    name,
    ...(pool === '' || pool.length > longestPool ? {} : { pool }),
    ...(zone === '' || zone.length > longestPool ? {} : { zone }),
    unmanaged: valueAt(object, 'metadata', 'annotations', unmanagedAnnotation) !== undefined,
    trueConditions: conditions
      .filter((condition) => textAt(condition, 'status') === 'True')
      .map((condition) => textAt(condition, 'type'))
      .filter((type) => type !== '' && type.length <= longestCondition),
    inPlaceUpdate: conditions.some(
      (condition) =>
        textAt(condition, 'type') === 'InPlaceUpdate' && inPlaceUpdateReasons.has(textAt(condition, 'reason')),
    ),
  };
}

/** The machine-controller-manager's longest, InPlaceUpdateSuccessful, has 23 characters. What is longer is none that is known, and says as little as an empty one. */
const longestPhase = 63;

/**
 * Keeps of a Machine of `machine.sapcloud.io/v1alpha1` what makes its node a candidate (SPEC 5.2). Undefined where it
 * names no node: a machine that has not joined yet, or never will; or one that no node can have.
 */
export function readMachine(object: unknown): MachineView | undefined {
  const node = textAt(object, 'metadata', 'labels', 'node');
  if (node === '' || node.length > longestName) return undefined;
  const phase = textAt(object, 'status', 'currentStatus', 'phase');
  return { node, phase: phase.length > longestPhase ? '' : phase };
}
