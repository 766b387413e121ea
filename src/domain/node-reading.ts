import type { NodeView } from './candidates.ts';
import { textAt, valueAt } from './value-at.ts';

const poolLabel = 'worker.gardener.cloud/pool';
const unmanagedAnnotation = 'node.machine.sapcloud.io/not-managed-by-mcm';

const inPlaceUpdateReasons: ReadonlySet<string> = new Set(['ReadyForUpdate', 'UpdateFailed']);

// Kubernetes bounds names and labels; for conditions it names no bound. These keep a shoot that invents ten thousand
// nodes of ten thousand conditions from filling our memory with them.
const longestName = 253;
const longestPool = 63;
const longestCondition = 128;
const mostConditions = 32;

/**
 * Keeps of a Node what makes it a candidate or not (SPEC 5.2). Anything may come in. Undefined where there is no usable
 * name, which no API server would send.
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
      .filter((type) => type !== '' && type.length <= longestCondition)
      .slice(0, mostConditions),
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
