import type { MachineView, NodeView } from './candidates.ts';
import { longestCondition, longestName, longestPool } from '../names.ts';
import { textAt, valueAt } from '../value-at.ts';

const poolLabel = 'worker.gardener.cloud/pool';
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
  const conditions = conditionsOf(object);
  return {
    name,
    ...(pool === '' || pool.length > longestPool ? {} : { pool }),
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

function conditionsOf(object: unknown): readonly unknown[] {
  const conditions = valueAt(object, 'status', 'conditions');
  return Array.isArray(conditions) ? conditions : [];
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
