import { isObject, type JsonObject } from './kube-object.ts';

/** RFC 7396: null removes, objects merge, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const base: JsonObject = isObject(target) ? target : {};
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // fromEntries defines its keys, so that one named `__proto__` stays a key.
  return Object.fromEntries(merged);
}
