import type { Instant } from '../../domain/time.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { asObject } from '../store/kube-object.ts';
import { replaceObject, type Storage } from '../store/object-writes.ts';
import type { Revision } from '../store/revision.ts';
import { condition, type NodeCondition } from './shoot-objects.ts';

/** The node's condition Ready: `True`, `False`, `Unknown`; undefined where there is no such node. */
export function readinessOf(storage: Storage, node: string): string | undefined {
  const current = storage.store.of(kinds.node).get(node);
  return current && readyIn(conditionsOf(current));
}

/** Sets the condition Ready where it is another one, and leaves the rest of the node alone. */
export function markReady(storage: Storage, node: string, status: string, reason: string, now: Instant): void {
  const current = storage.store.of(kinds.node).get(node);
  if (current === undefined) return;
  const conditions = conditionsOf(current);
  if (readyIn(conditions) === status) return;
  const others = conditions.filter(({ type }) => type !== 'Ready');
  const marked = {
    ...asObject(current.object['status']),
    conditions: [...others, condition('Ready', status, reason, now)],
  };
  replaceObject(storage, kinds.node, current, { ...current.object, status: marked }, 'status');
}

function readyIn(conditions: readonly NodeCondition[]): string | undefined {
  return conditions.find(({ type }) => type === 'Ready')?.status;
}

function conditionsOf({ object }: Revision): readonly NodeCondition[] {
  const { conditions } = asObject(object['status']);
  return Array.isArray(conditions) ? (conditions as readonly NodeCondition[]) : [];
}
