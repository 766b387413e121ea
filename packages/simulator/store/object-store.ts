import { Collection, type Writer } from './collection.ts';
import type { JsonObject, KubeObject } from './kube-object.ts';
import type { Revision } from './revision.ts';
import { groupResourceOf, type ResourceKind } from './resource-kind.ts';

/** What etcd was at a resourceVersion: the collections by their names. */
export type Backup = Readonly<{
  resourceVersion: number;
  collections: ReadonlyMap<string, ReadonlyMap<string, Revision>>;
}>;

/** What a mutating webhook or a policy makes of a change that comes through the API, before it is stored. */
export type Webhook = (kind: ResourceKind, after: JsonObject, before: KubeObject) => JsonObject;

/** Everything that one API server keeps: a collection for each kind, and one count of versions over them all. */
export class ObjectStore {
  readonly #collections = new Map<string, Collection>();
  /** The same by the kind itself: each request and each kubelet asks, and a name would have to be put together. */
  readonly #byKind = new Map<ResourceKind, Collection>();
  /** Who is writing at present, where it is a client. */
  writer: Writer | undefined;
  /** So many objects are in a page at most, and it is forgotten before the next one is asked for: etcd is compacted all the time. */
  forgetfulPages: number | undefined;
  readonly webhooks = new Set<Webhook>();
  #resourceVersion = 1;
  #compactedAt = 0;

  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  of(kind: ResourceKind): Collection {
    let collection = this.#byKind.get(kind);
    if (collection === undefined) {
      collection = this.#named(groupResourceOf(kind));
      this.#byKind.set(kind, collection);
    }
    return collection;
  }

  admitted(kind: ResourceKind, after: JsonObject, before: KubeObject): JsonObject {
    let admitted = after;
    for (const webhook of this.webhooks) admitted = webhook(kind, admitted, before);
    return admitted;
  }

  /** Forgets the whole history: whoever asks for an older resourceVersion is told 410. */
  compact(): void {
    this.#compactedAt = this.#resourceVersion;
    for (const collection of this.#collections.values()) collection.compact(this.#resourceVersion);
  }

  /**
   * What a watch cache holds of it that misses a restore: all that is now, and of what comes, whatever has a newer version than it holds. Returns how to
   * stop that, too.
   */
  fork(): Readonly<{ store: ObjectStore; stop: () => void }> {
    const store = new ObjectStore();
    store.#resourceVersion = this.#resourceVersion;
    store.#compactedAt = this.#compactedAt;
    const stops = [...this.#collections].map(([name, collection]) => {
      const fork = collection.fork();
      store.#collections.set(name, fork);
      return collection.onChange((change) => {
        if (change.resourceVersion <= store.#resourceVersion) return;
        store.#resourceVersion = change.resourceVersion;
        fork.adopt(change);
      });
    });
    return { store, stop: () => stops.forEach((stop) => stop()) };
  }

  /** So many writes of others, to objects that nobody here looks at: they raise the count of versions. */
  countOthers(writes: number): void {
    this.#resourceVersion += writes;
  }

  backup(): Backup {
    const collections = new Map([...this.#collections].map(([name, collection]) => [name, collection.backup()]));
    return { resourceVersion: this.#resourceVersion, collections };
  }

  /** etcd is what it was, and counts on from there: the same resourceVersions come again, for other things. */
  restore({ resourceVersion, collections }: Backup): void {
    this.#resourceVersion = resourceVersion;
    this.#compactedAt = resourceVersion;
    // All of it is back before anybody hears of it, and may write in turn.
    const tells = [...this.#collections].map(([name, collection]) =>
      collection.restore(collections.get(name) ?? new Map(), resourceVersion),
    );
    for (const tell of tells) tell();
  }

  #named(name: string): Collection {
    const known = this.#collections.get(name);
    if (known !== undefined) return known;
    const collection = new Collection(
      () => (this.#resourceVersion += 1),
      this.#compactedAt,
      () => this.writer,
    );
    this.#collections.set(name, collection);
    return collection;
  }
}
