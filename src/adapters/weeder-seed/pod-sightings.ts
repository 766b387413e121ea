import { isNewer } from '../../domain/resource-version.ts';
import type { PodView } from '../../domain/weeder/pod-view.ts';
import type { PodNews } from '../../effects/ports.ts';
import { objectKey, type KeptObject } from '../seed-watch/kept-object.ts';

/** What one selector's stream keeps; undefined where the pod could not be read. */
export type PodStore = ReadonlyMap<string, KeptObject<PodView | undefined>>;

type Sighting = KeptObject<PodView | undefined> & Readonly<{ value: PodView }>;

/**
 * What the streams of several selectors come to: each pod once, and only what is news of it (SPEC 7.2, 7.4). The
 * streams do not keep pace with each other, so that of one name they may show different versions, even different
 * incarnations; the newest counts.
 */
export class PodSightings {
  readonly #namespace: string;
  readonly #stores: readonly PodStore[];
  /** By name, what was last told; nothing of a pod that never crash-looped. */
  readonly #told = new Map<string, PodView>();
  /** Another incarnation was seen after these, though their streams still keep them. */
  readonly #outlived = new WeakSet<Sighting>();

  constructor(namespace: string, stores: readonly PodStore[]) {
    this.#namespace = namespace;
    this.#stores = stores;
  }

  /** Looks again at the pod of that name, after one of the stores has changed. */
  look(name: string): readonly PodNews[] {
    const now = this.#newest(name);
    const news: PodNews[] = [];
    const before = this.#told.get(name);
    if (before !== undefined && before.uid !== now?.uid) {
      this.#told.delete(name);
      news.push({ type: 'gone', pod: { name, uid: before.uid } });
    }
    if (now !== undefined && isNews(this.#told.get(name), now)) {
      this.#told.set(name, now);
      news.push({ type: 'changed', pod: now });
    }
    return news;
  }

  #newest(name: string): PodView | undefined {
    const key = objectKey(this.#namespace, name);
    const sightings = this.#stores
      .map((store) => store.get(key))
      .filter((one): one is Sighting => one?.value !== undefined && !this.#outlived.has(one as Sighting));
    const [first, ...others] = sightings;
    if (first === undefined) return undefined;
    const newest = others.reduce(
      (best, one) => (isNewer(best.resourceVersion, one.resourceVersion) ? best : one),
      first,
    );
    for (const one of others.concat(first)) if (one.value.uid !== newest.value.uid) this.#outlived.add(one);
    return newest.value;
  }
}

function isNews(told: PodView | undefined, now: PodView): boolean {
  return told === undefined ? now.state === 'crashLooping' : now.state !== told.state;
}
