import { isObject, type JsonObject } from './kube-object.ts';
import { isDeepStrictEqual } from 'node:util';
import { badRequest, patchUnfit } from './api-refusal.ts';

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

/** RFC 6902. Refuses with 400 what is no patch, with 422 what does not fit the document. */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw badRequest('error decoding patch: a JSON patch is an array of operations');
  return patch.reduce<unknown>(applyOne, target);
}

function applyOne(document: unknown, operation: unknown): unknown {
  if (!isObject(operation)) throw badRequest('error decoding patch: an operation is an object');
  const { op, value } = operation;
  const path = pointer(operation['path']);
  switch (op) {
    case 'add':
      return edit(document, path, (holder, key) => insert(holder, key, need(operation, value)));
    case 'replace':
      return edit(document, path, (holder, key) => put(holder, key, need(operation, value)));
    case 'remove':
      existing(document, path);
      return edit(document, path, take);
    case 'test':
      if (!isDeepStrictEqual(find(document, path), need(operation, value))) throw patchUnfit();
      return document;
    case 'copy':
      return edit(document, path, (holder, key) => insert(holder, key, existing(document, pointer(operation['from']))));
    case 'move': {
      const from = pointer(operation['from']);
      const moved = existing(document, from);
      return edit(edit(document, from, take), path, (holder, key) => insert(holder, key, moved));
    }
    default:
      throw patchUnfit();
  }
}

type Holder = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A copy of the document, with an edit of the value that holds the path's last key. */
function edit(document: unknown, path: readonly string[], change: (holder: Holder, key: string) => unknown): unknown {
  const [key, ...rest] = path;
  // The empty path is the document itself.
  if (key === undefined) return valueOf(change({ '': document }, ''), '');
  if (!isHolder(document)) throw patchUnfit();
  if (rest.length === 0) return change(document, key);
  const inner = valueOf(document, key);
  if (inner === undefined) throw patchUnfit();
  return put(document, key, edit(inner, rest, change));
}

function put(holder: Holder, key: string, value: unknown): unknown {
  if (Array.isArray(holder)) return holder.with(indexOf(key, holder.length - 1), value);
  return Object.fromEntries([...Object.entries(holder).filter(([name]) => name !== key), [key, value]]);
}

function insert(holder: Holder, key: string, value: unknown): unknown {
  if (!Array.isArray(holder)) return put(holder, key, value);
  return holder.toSpliced(key === '-' ? holder.length : indexOf(key, holder.length), 0, value);
}

function take(holder: Holder, key: string): unknown {
  if (Array.isArray(holder)) return holder.toSpliced(indexOf(key, holder.length - 1), 1);
  return Object.fromEntries(Object.entries(holder).filter(([name]) => name !== key));
}

function existing(document: unknown, path: readonly string[]): unknown {
  const value = find(document, path);
  if (value === undefined) throw patchUnfit();
  return value;
}

function find(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isHolder(value) ? valueOf(value, key) : undefined), document);
}

function valueOf(holder: unknown, key: string): unknown {
  if (Array.isArray(holder)) return /^\d+$/.test(key) ? holder[Number(key)] : undefined;
  return isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function indexOf(key: string, highest: number): number {
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) > highest) throw patchUnfit();
  return Number(key);
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

function pointer(text: unknown): readonly string[] {
  if (typeof text !== 'string' || !/^(\/|$)/.test(text))
    throw badRequest('error decoding patch: a path begins with a slash');
  return text
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function need(operation: Readonly<Record<string, unknown>>, value: unknown): unknown {
  if (!Object.hasOwn(operation, 'value')) throw badRequest('error decoding patch: an operation lacks its value');
  return value;
}
