import { isOlder } from '../../domain/resource-version.ts';
import type { PodView } from '../../domain/weeder/pod-view.ts';
import type { PodNews } from '../../effects/ports.ts';
import { objectKey, type StoredObject } from '../reflector/stream-item.ts';

/** What one selector's stream keeps; undefined where the pod could not be read. */
export type PodStore = ReadonlyMap<string, StoredObject<PodView | undefined>>;

type Sighting = StoredObject<PodView | undefined> & Readonly<{ value: PodView }>;

/** What was last told of a pod, and the newest version of it that any stream has shown. */
type Told = Readonly<{ view: PodView; asOf: string }>;

/** Pods that are gone, by name; it takes a stream that lags behind to need one of them. Some 150 bytes each. */
const mostGone = 1_000;

/**
 * What the streams of several selectors come to: each pod once, and only what is news of it (SPEC 7.2, 7.4). The
 * streams do not keep pace with each other: one that was cut catches up on what the others have told long ago. So
 * nothing is news that is older than what is known of the pod of that name, which never has two incarnations at once.
 */
export class PodSightings {
  readonly #namespace: string;
  readonly #stores: () => readonly PodStore[];
  /** By name; nothing of a pod that never crash-looped. */
  readonly #told = new Map<string, Told>();
  readonly #gone = new Map<string, string>();

  /** `stores`: those that count at the moment. */
  constructor(namespace: string, stores: () => readonly PodStore[]) {
    this.#namespace = namespace;
    this.#stores = stores;
  }

  /** Looks again at a pod, after one of the stores has changed. `deletedAt`: the version in which a stream told that it was deleted. */
  look({ name }: Readonly<{ name: string }>, deletedAt?: string): readonly PodNews[] {
    const before = this.#told.get(name);
    const known = before?.asOf ?? this.#gone.get(name);
    const asOf = known === undefined || deletedAt === undefined ? known : newer(known, deletedAt);
    const seen = this.#newest(name);
    const lags = asOf !== undefined && seen !== undefined && isOlder(seen.resourceVersion, asOf);
    // A stream that lags still has the pod, so that it is not gone; what it says of it is no news.
    const now = !lags ? seen?.value : seen.value.uid === before?.view.uid ? before.view : undefined;
    const news = newsOf(before?.view, now);
    this.#keep(name, news, before, (lags ? asOf : seen?.resourceVersion) ?? asOf);
    return news;
  }

  /**
   * The seed's history went back: nothing that was told counts any more. A pod that was deleted may be there again, with the
   * same UID, and what is known of its deletion goes with it.
   */
  forget(): readonly PodNews[] {
    const told = [...this.#told.values()];
    this.#told.clear();
    this.#gone.clear();
    return told.map(({ view: { name, uid } }) => ({ type: 'gone', pod: { name, uid } }));
  }

  #keep(name: string, news: readonly PodNews[], before: Told | undefined, asOf = ''): void {
    const last = news.at(-1);
    const view = last === undefined ? before?.view : last.type === 'changed' ? last.pod : undefined;
    if (view !== undefined) {
      this.#told.set(name, { view, asOf });
      this.#gone.delete(name);
    } else if (before !== undefined) {
      this.#told.delete(name);
      this.#gone.set(name, asOf);
      const [oldest] = this.#gone.keys();
      if (this.#gone.size > mostGone && oldest !== undefined) this.#gone.delete(oldest);
    }
  }

  #newest(name: string): Sighting | undefined {
    const key = objectKey(this.#namespace, name);
    const sightings = this.#stores()
      .map((store) => store.get(key))
      .filter((one) => isSighting(one));
    return sightings.reduce<Sighting | undefined>(
      (best, one) => (best !== undefined && !isOlder(best.resourceVersion, one.resourceVersion) ? best : one),
      undefined,
    );
  }
}

function newsOf(told: PodView | undefined, now: PodView | undefined): readonly PodNews[] {
  const isGone = told !== undefined && told.uid !== now?.uid;
  const isNews =
    now !== undefined && (told === undefined || isGone ? now.state === 'crashLooping' : now.state !== told.state);
  return [
    ...(isGone ? [{ type: 'gone', pod: { name: told.name, uid: told.uid } } as const] : []),
    ...(isNews ? [{ type: 'changed', pod: now } as const] : []),
  ];
}

function newer(one: string, other: string): string {
  return isOlder(one, other) ? other : one;
}

function isSighting(one: StoredObject<PodView | undefined> | undefined): one is Sighting {
  return one?.value !== undefined;
}
