import { textAt, valueAt } from '../domain/value-at.ts';
import { invalidField } from './api-refusal.ts';
import type { JsonObject } from './kube-object.ts';

/** What a server makes of a pod: a new one has no status but the first. */
export function admitPod(draft: JsonObject, before: JsonObject | undefined): JsonObject {
  const containers = valueAt(draft, 'spec', 'containers');
  if (!Array.isArray(containers) || containers.length === 0) {
    const name = textAt(draft, 'metadata', 'name');
    throw invalidField({ group: '', kind: 'Pod' }, name, 'spec.containers', 'Required value');
  }
  return before === undefined ? { ...draft, status: { phase: 'Pending', qosClass: 'BestEffort' } } : draft;
}
