import { asObject, type JsonObject } from './kube-object.ts';
import { mergePatch } from './merge-patch.ts';
import { replaceObject, type World } from './object-writes.ts';
import type { ResourceKind } from './resource-kind.ts';

/** Merges into an object from inside the world, its status included; null removes. Does nothing where there is none. */
export function editObject(world: World, kind: ResourceKind, key: string, patch: JsonObject): void {
  for (const part of kind.hasStatus === true ? (['object', 'status'] as const) : (['object'] as const)) {
    const current = world.store.of(kind).get(key);
    if (current === undefined) return;
    replaceObject(world, kind, current, asObject(mergePatch(current.object, patch)), part);
  }
}
