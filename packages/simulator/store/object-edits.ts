import { asObject, type JsonObject } from './kube-object.ts';
import { mergePatch } from './patches.ts';
import { replaceObject, type Storage, createObject } from './object-writes.ts';
import type { ResourceKind } from './resource-kind.ts';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { kinds } from './embedded-kinds.ts';

/** Merges into an object directly, past the API, its status included; null removes. Does nothing where the object is missing. */
export function editObject(storage: Storage, kind: ResourceKind, key: string, patch: JsonObject): void {
  for (const part of kind.hasStatus === true ? (['object', 'status'] as const) : (['object'] as const)) {
    const current = storage.store.of(kind).get(key);
    if (current === undefined) return;
    replaceObject(storage, kind, current, asObject(mergePatch(current.object, patch)), part);
  }
}

/** The namespaces that every API server creates for itself. */
export const initialNamespaces: readonly string[] = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Creates namespaces that exist from the beginning. Draws nothing from the storage's chance. */
export function createInitialNamespaces({ store, clock }: Storage, names: readonly string[]): void {
  const storage = { store, clock, chance: seededChance(0) };
  for (const name of names) createObject(storage, kinds.namespace, { metadata: { name } });
}
