import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { KubeObject } from './kube-object.ts';
import { keysWithin, objectKey, Revision } from './revision.ts';

/** The client that made a change, and when it sent the request. */
export type Writer = Readonly<{ user: string; sentAt: Instant }>;

/** One change of a collection. A deletion's revision is the last state under the resourceVersion of the deletion. */
export type Change = Readonly<{
  resourceVersion: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  revision: Revision;
  previous: Revision | undefined;
  /** Absent where it came from within: a controller, an operator of the simulation. */
  writer: Writer | undefined;
}>;

/**
 * etcd keeps five minutes of history. A smaller number would expire pages of a list and watches of a kind while they are
 * read, above all while hundreds of its objects are being deleted. A kind that never had more than a few, as the leases of a small shoot,
 * takes an hour for so many changes: a simulated life would keep every one of them to its end.
 */
const leastHistory = { ofMany: 2_000, ofOne: 50, ofFew: 200 };

/** All objects of one kind, with so much of their history as open pages and watches need. */
export class Collection {
  readonly #nextVersion: () => number;
  readonly #writer: () => Writer | undefined;
  readonly #current = new Map<string, Revision>();
  /** By the namespace that they listen to; empty for all namespaces. */
  readonly #listeners = new Map<string, Set<(change: Change) => void>>();
  /** Changes that not every listener has heard of. */
  readonly #pending: Change[] = [];
  #sortedKeys: string[] | undefined;
  /** All that is there, in order, as it was last asked for. */
  #listed: readonly Revision[] | undefined;
  readonly #history: Change[] = [];
  /** As many objects as there ever were at once. */
  #largest = 0;
  /** No older resourceVersion than this may be asked for. */
  #compactedAt: number;
  /** The resourceVersion of the newest change that is forgotten. */
  #forgottenAt = 0;

  constructor(nextVersion: () => number, compactedAt: number, writer: () => Writer | undefined = () => undefined) {
    this.#nextVersion = nextVersion;
    this.#writer = writer;
    this.#compactedAt = compactedAt;
  }

  get size(): number {
    return this.#current.size;
  }

  get(key: string): Revision | undefined {
    return this.#current.get(key);
  }

  /** Stores an object under a new resourceVersion. Checks nothing; the caller has done that. */
  put(object: KubeObject): Revision {
    const key = objectKey(object.metadata.namespace, object.metadata.name);
    const resourceVersion = this.#nextVersion();
    const previous = this.#current.get(key);
    const revision = new Revision(object, resourceVersion);
    this.#current.set(key, revision);
    if (previous === undefined) this.#sortedKeys = undefined;
    this.#tell({
      resourceVersion,
      type: previous === undefined ? 'ADDED' : 'MODIFIED',
      revision,
      previous,
      writer: this.#writer(),
    });
    return revision;
  }

  /** The last state, or undefined where there was none. */
  remove(key: string): Revision | undefined {
    const previous = this.#current.get(key);
    if (previous === undefined) return undefined;
    const resourceVersion = this.#nextVersion();
    const revision = new Revision(previous.object, resourceVersion);
    this.#current.delete(key);
    this.#sortedKeys = undefined;
    this.#tell({ resourceVersion, type: 'DELETED', revision, previous, writer: this.#writer() });
    return revision;
  }

  /** What is there, in order: all, or one namespace's. */
  list(namespace = ''): readonly Revision[] {
    // Names are ASCII, so the order of JavaScript's strings is etcd's.
    this.#sortedKeys ??= [...this.#current.keys()].toSorted();
    if (namespace !== '') return present(this.#current, keysWithin(this.#sortedKeys, namespace));
    this.#listed ??= present(this.#current, this.#sortedKeys);
    return this.#listed;
  }

  /** What was there at a resourceVersion, in order; undefined where that is forgotten. */
  listAt(resourceVersion: number, namespace = ''): readonly Revision[] | undefined {
    const later = this.since(resourceVersion);
    if (later === undefined) return undefined;
    if (later.length === 0) return this.list(namespace);
    const then = new Map(this.#current);
    for (const { revision, previous } of later.toReversed()) {
      if (previous === undefined) then.delete(revision.key);
      else then.set(previous.key, previous);
    }
    return present(then, keysWithin([...then.keys()].toSorted(), namespace));
  }

  /** Every change after a resourceVersion, oldest first; undefined where some of them are forgotten. */
  since(resourceVersion: number): readonly Change[] | undefined {
    return resourceVersion < this.#compactedAt ? undefined : this.missed(resourceVersion);
  }

  /**
   * The same for one who was told everything up to a resourceVersion, and whom a compaction takes nothing from
   * unless he lagged behind.
   */
  missed(resourceVersion: number): readonly Change[] | undefined {
    if (resourceVersion < this.#forgottenAt) return undefined;
    let from = this.#history.length;
    while (from > 0 && (this.#history[from - 1]?.resourceVersion ?? 0) > resourceVersion) from -= 1;
    return this.#history.slice(from);
  }

  /** Calls back synchronously after each change, or after each in one namespace. Returns a function that stops it. */
  onChange(listener: (change: Change) => void, namespace = ''): () => void {
    const listeners = this.#listeners.get(namespace) ?? new Set();
    this.#listeners.set(namespace, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(namespace) === listeners) this.#listeners.delete(namespace);
    };
  }

  /** Forgets all history up to a resourceVersion, as etcd does every five minutes. */
  compact(resourceVersion: number): void {
    const kept = this.#history.findIndex((change) => change.resourceVersion > resourceVersion);
    this.#forget(kept === -1 ? this.#history.length : kept);
    this.#compactedAt = Math.max(this.#compactedAt, resourceVersion);
  }

  /** Everything as it is now. */
  backup(): ReadonlyMap<string, Revision> {
    return new Map(this.#current);
  }

  /**
   * Everything is as it was in a backup, with the resourceVersions of that time, and there is no history before it. Returns how to tell those who
   * listen what has changed by that; a watch must not be among them.
   */
  restore(backup: ReadonlyMap<string, Revision>, resourceVersion: number): () => void {
    const before = new Map(this.#current);
    this.#current.clear();
    for (const [key, revision] of backup) this.#current.set(key, revision);
    this.#sortedKeys = undefined;
    this.#listed = undefined;
    this.#history.length = 0;
    this.#compactedAt = resourceVersion;
    this.#forgottenAt = resourceVersion;
    const gone = [...before.values()].filter(({ key }) => !backup.has(key));
    const back = [...backup.values()].filter((revision) => before.get(revision.key) !== revision);
    return () =>
      this.#announce([
        ...gone.map(
          (revision) => ({ type: 'DELETED', revision, previous: revision, resourceVersion, writer }) as const,
        ),
        ...back.map((revision) => {
          const previous = before.get(revision.key);
          return {
            type: previous === undefined ? 'ADDED' : 'MODIFIED',
            revision,
            previous,
            resourceVersion,
            writer,
          } as const;
        }),
      ]);
  }

  /** The same objects and history, which go their own way from here. */
  fork(): Collection {
    const fork = new Collection(this.#nextVersion, this.#compactedAt);
    for (const [key, revision] of this.#current) fork.#current.set(key, revision);
    fork.#history.push(...this.#history);
    fork.#forgottenAt = this.#forgottenAt;
    return fork;
  }

  /** Takes over a change of the collection that it was forked from, in its version. */
  adopt(change: Change): void {
    const { key } = change.revision;
    const previous = this.#current.get(key);
    if (change.type === 'DELETED') this.#current.delete(key);
    else this.#current.set(key, change.revision);
    this.#sortedKeys = undefined;
    this.#tell({ ...change, previous });
  }

  #tell(change: Change): void {
    this.#listed = undefined;
    this.#history.push(change);
    const { size } = this.#current;
    this.#largest = Math.max(this.#largest, size);
    const { ofMany, ofOne, ofFew } = leastHistory;
    const enough = Math.max(2 * size, ofFew, Math.min(ofMany, ofOne * this.#largest));
    // Forgets many at a time, so that a busy kind does not move its whole history with each write.
    if (this.#history.length > 2 * enough) {
      this.#forget(this.#history.length - enough);
      this.#compactedAt = this.#forgottenAt;
    }
    this.#announce([change]);
  }

  #announce(changes: readonly Change[]): void {
    this.#pending.push(...changes);
    // A listener may write in turn: all listeners hear of the changes in the same order.
    if (this.#pending.length > changes.length) return;
    try {
      for (const next of this.#pending) this.#callListeners(next);
    } finally {
      this.#pending.length = 0;
    }
  }

  /** There may be hundreds of watches, each of them on one namespace. */
  #callListeners(change: Change): void {
    const { namespace = '' } = change.revision.object.metadata;
    for (const listener of this.#listeners.get('') ?? []) listener(change);
    if (namespace !== '') for (const listener of this.#listeners.get(namespace) ?? []) listener(change);
  }

  #forget(count: number): void {
    const forgotten = this.#history.splice(0, count);
    this.#forgottenAt = forgotten.at(-1)?.resourceVersion ?? this.#forgottenAt;
  }
}

/** A restore is nobody's write. */
const writer = undefined;

function present(revisions: ReadonlyMap<string, Revision>, keys: readonly string[]): readonly Revision[] {
  const found: Revision[] = [];
  for (const key of keys) {
    const revision = revisions.get(key);
    if (revision !== undefined) found.push(revision);
  }
  return found;
}
