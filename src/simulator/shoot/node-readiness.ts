import type { Instant } from '../../domain/time.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { asObject } from '../store/kube-object.ts';
import { replaceObject, type Storage } from '../store/object-writes.ts';
import { condition, type NodeCondition } from './shoot-objects.ts';

/** The node's condition Ready: `True`, `False`, `Unknown`; undefined where there is no such node. */
export function readinessOf(storage: Storage, node: string): string | undefined {
  return conditionsOf(storage, node)?.find(({ type }) => type === 'Ready')?.status;
}

/** Sets the condition Ready where it is another one, and leaves the rest of the node alone. */
export function markReady(storage: Storage, node: string, status: string, reason: string, now: Instant): void {
  const current = storage.store.of(kinds.node).get(node);
  const conditions = conditionsOf(storage, node);
  if (current === undefined || conditions === undefined || readinessOf(storage, node) === status) return;
  const others = conditions.filter(({ type }) => type !== 'Ready');
  const marked = {
    ...asObject(current.object['status']),
    conditions: [...others, condition('Ready', status, reason, now)],
  };
  replaceObject(storage, kinds.node, current, { ...current.object, status: marked }, 'status');
}

function conditionsOf(storage: Storage, node: string): readonly NodeCondition[] | undefined {
  const current = storage.store.of(kinds.node).get(node);
  if (current === undefined) return undefined;
  const { conditions } = asObject(current.object['status']);
  return Array.isArray(conditions) ? (conditions as readonly NodeCondition[]) : [];
}
