import { isDeepStrictEqual } from 'node:util';
import { isOlder } from '../../domain/resource-version.ts';
import type { ClaimedVersions } from './seed-history.ts';
import {
  objectKey,
  type StoredObject,
  type Applied,
  type Deleted,
  type StreamItem,
  type StreamNotice,
} from './stream-item.ts';
import { identityOf, type ObjectIdentity, type WatchLine } from './wire-format.ts';

export type ObjectStoreOptions<Value> = Readonly<{
  stream: string;
  /** Makes the stored value of an object. The value must not refer to the object, which is large. */
  project: (object: unknown) => Value;
  /** An object that it does not select counts as absent, as with a selector of the API server. By default all are selected. */
  selects?: (object: unknown) => boolean;
  /** The most objects that are stored; those beyond are dropped and counted. */
  limit: number;
  /** Values that are only told of have a limit of their own, and take nobody's place; those beyond it are dropped without a word. */
  minor?: Readonly<{ is: (value: Value) => boolean; limit: number }>;
  /** The store writes it; the caller only reads it. */
  objects: Map<string, StoredObject<Value>>;
  /** Versions that the seed has shown in other answers. */
  claims?: ClaimedVersions | undefined;
  notice: (notice: StreamNotice) => void;
}>;

/** Applies lists and watch lines to the objects, and returns what each of them changed. */
export function objectStore<Value>(options: ObjectStoreOptions<Value>) {
  const { stream, project, selects = () => true, limit, minor, objects, claims, notice } = options;
  let list = new Map<string, StoredObject<Value>>();
  let claimed: ReadonlyMap<string, string> = new Map();
  let asOf: string | undefined;
  let dropped = 0;
  /** Nothing was dropped since the last list began. */
  let isComplete = true;

  /** Undefined where the projection threw. The object then stays as it was known, and the other objects are not affected. */
  const projected = (identity: ObjectIdentity, object: unknown): StoredObject<Value> | undefined => {
    try {
      return { ...identity, value: project(object) };
    } catch (error) {
      const key = objectKey(identity.namespace, identity.name);
      notice({ kind: 'unprojected', stream, object: key, problem: String(error) });
      return undefined;
    }
  };

  const minorsIn = (kept: ReadonlyMap<string, StoredObject<Value>>): number =>
    minor === undefined ? 0 : [...kept.values()].filter(({ value }) => minor.is(value)).length;

  const isRoomFor = (key: string, kept: ReadonlyMap<string, StoredObject<Value>>, value: Value) => {
    if (kept.has(key)) return true;
    if (minor?.is(value)) return minorsIn(kept) < minor.limit;
    if (kept.size < limit || kept.size - minorsIn(kept) < limit) return true;
    notice({ kind: 'overLimit', stream, object: key, limit });
    return false;
  };

  const addItem = (item: unknown) => {
    const identity = identityOf(item);
    if (identity === undefined) {
      notice({ kind: 'badLine', stream, problem: 'a list item without a name or a resourceVersion' });
      return;
    }
    if (!selects(item)) return;
    const key = objectKey(identity.namespace, identity.name);
    const known = objects.get(key);
    const listed = projected(identity, item);
    const kept = listed === undefined || (known !== undefined && isSame(known, listed)) ? known : listed;
    if (kept === undefined) return;
    if (isRoomFor(key, list, kept.value)) list.set(key, kept);
    else dropped++;
  };

  /** Whether the list, which shows the present state, contradicts the history that the stream showed up to `asOf`. */
  const isOfAnother = (resourceVersion: string): boolean => {
    if (asOf === undefined) return false;
    if (isOlder(resourceVersion, asOf)) return true;
    for (const [key, version] of claimed)
      if (isOlder(list.get(key)?.resourceVersion ?? resourceVersion, version)) return true;
    for (const [key, object] of list) {
      const known = objects.get(key);
      if (known === object) continue;
      // Within one history an object is never two things under one version.
      if (known?.resourceVersion === object.resourceVersion) return true;
      // The stream has shown every change up to `asOf`, so an older object must be known as it is, unless it was dropped.
      if ((known !== undefined || isComplete) && isOlder(object.resourceVersion, asOf)) return true;
    }
    return false;
  };

  return {
    /** Begins a list, and forgets the pages of one that was not finished. */
    beginList(): void {
      list = new Map();
      dropped = 0;
      claimed = claims?.standing() ?? claimed;
    },

    addItem,

    /** Makes the objects equal to the items since `beginList`. `rewound`: the list proves that the seed's history went back. */
    endList(resourceVersion: string): StreamItem<Value> & { type: 'listed' } {
      const rewound = isOfAnother(resourceVersion);
      asOf = resourceVersion;
      if (rewound) claims?.clear();
      else claims?.answer(claimed);
      const deleted: Deleted[] = [];
      for (const [key, { namespace, name }] of objects) {
        if (list.has(key)) continue;
        objects.delete(key);
        deleted.push({ namespace, name, resourceVersion });
      }
      const applied: Applied<Value>[] = [];
      for (const [key, object] of list) {
        const before = objects.get(key);
        if (before === object) continue;
        objects.set(key, object);
        applied.push({ object, before });
      }
      const listed = { type: 'listed', resourceVersion, applied, deleted, dropped, rewound } as const;
      list = new Map();
      isComplete = dropped === 0;
      return listed;
    },

    /** Undefined where the object could not be projected. One that is not selected any more counts as deleted. */
    apply({ type, identity, object }: WatchLine & { type: 'applied' | 'deleted' }): StreamItem<Value> | undefined {
      const { namespace, name, resourceVersion } = identity;
      const key = objectKey(namespace, name);
      asOf = resourceVersion;
      claims?.settle(key, resourceVersion);
      if (type === 'deleted' || !selects(object)) {
        objects.delete(key);
        return { type: 'deleted', namespace, name, resourceVersion };
      }
      const kept = projected(identity, object);
      if (kept === undefined) return undefined;
      if (!isRoomFor(key, objects, kept.value)) {
        isComplete = false;
        return { type: 'dropped', namespace, name };
      }
      const before = objects.get(key);
      objects.set(key, kept);
      return { type, object: kept, before };
    },

    /** Nothing changed up to here. */
    advance(resourceVersion: string): void {
      asOf = resourceVersion;
    },
  };
}

/** A seed that was restored from a backup gives the same versions again, to other things. */
function isSame<Value>(known: StoredObject<Value>, listed: StoredObject<Value>): boolean {
  return known.resourceVersion === listed.resourceVersion && isDeepStrictEqual(known.value, listed.value);
}
