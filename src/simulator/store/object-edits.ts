import { asObject, type JsonObject } from './kube-object.ts';
import { mergePatch } from './patches.ts';
import { replaceObject, type World, createObject } from './object-writes.ts';
import type { ResourceKind } from './resource-kind.ts';
import { seededChance } from '../../adapters/clock/chance.ts';
import { kinds } from './embedded-kinds.ts';

/** Merges into an object from inside the world, its status included; null removes. Does nothing where there is none. */
export function editObject(world: World, kind: ResourceKind, key: string, patch: JsonObject): void {
  for (const part of kind.hasStatus === true ? (['object', 'status'] as const) : (['object'] as const)) {
    const current = world.store.of(kind).get(key);
    if (current === undefined) return;
    replaceObject(world, kind, current, asObject(mergePatch(current.object, patch)), part);
  }
}

/** What every API server makes for itself. */
export const initialNamespaces: readonly string[] = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Namespaces that are there from the beginning. They take nothing of the world's chance. */
export function createInitialNamespaces({ store, clock }: World, names: readonly string[]): void {
  const world = { store, clock, chance: seededChance(0) };
  for (const name of names) createObject(world, kinds.namespace, { metadata: { name } });
}
