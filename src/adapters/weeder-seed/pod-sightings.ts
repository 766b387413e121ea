import { isOlder } from '../../domain/resource-version.ts';
import type { PodView } from '../../domain/weeder/pod.ts';
import type { PodNews } from '../../effects/ports.ts';
import { objectKey, type StoredObject } from '../reflector/stream-item.ts';

/** The store of one selector's stream; the value is undefined where the pod could not be read. */
export type PodStore = ReadonlyMap<string, StoredObject<PodView | undefined>>;

type Sighting = StoredObject<PodView | undefined> & Readonly<{ value: PodView }>;

/** The last news of a pod, and its newest version that any stream has shown. */
type Reported = Readonly<{ view: PodView; asOf: string }>;

/** Pods that are gone and still remembered, some 150 bytes each. They only matter to a stream that lags behind. */
const mostGone = 1_000;

/**
 * Joins the streams of several selectors: each pod is reported once, and only where there is news of it (SPEC 7.2, 7.4). The
 * streams do not keep pace with each other: one that was cut shows again what the others have shown long ago. So a version that is
 * older than the known one of that name is no news. Two incarnations never have the same name at the same time.
 */
export class PodSightings {
  readonly #namespace: string;
  readonly #stores: () => readonly PodStore[];
  /** By name; without the pods that never crash-looped. */
  readonly #reported = new Map<string, Reported>();
  readonly #gone = new Map<string, string>();

  /** `stores` returns those that are valid at the moment. */
  constructor(namespace: string, stores: () => readonly PodStore[]) {
    this.#namespace = namespace;
    this.#stores = stores;
  }

  /** Looks at a pod again, after one of the stores has changed. `deletedAt`: the version of its deletion, where a stream showed that. */
  look({ name }: Readonly<{ name: string }>, deletedAt?: string): readonly PodNews[] {
    const before = this.#reported.get(name);
    const known = before?.asOf ?? this.#gone.get(name);
    const asOf = known === undefined || deletedAt === undefined ? known : newer(known, deletedAt);
    const seen = this.#newest(name);
    const lags = asOf !== undefined && seen !== undefined && isOlder(seen.resourceVersion, asOf);
    // A stream that lags still has the pod, so the pod is not gone; but what that stream shows is no news.
    const now = !lags ? seen?.value : seen.value.uid === before?.view.uid ? before.view : undefined;
    const news = newsOf(before?.view, now);
    this.#record(name, news, before, (lags ? asOf : seen?.resourceVersion) ?? asOf);
    return news;
  }

  /**
   * The seed's history went back: nothing that was reported counts any more. A deleted pod may be there again, with the same UID, so
   * its deletion must be forgotten too.
   */
  forget(): readonly PodNews[] {
    const reported = [...this.#reported.values()];
    this.#reported.clear();
    this.#gone.clear();
    return reported.map(({ view: { name, uid } }) => ({ type: 'gone', pod: { name, uid } }));
  }

  #record(name: string, news: readonly PodNews[], before: Reported | undefined, asOf = ''): void {
    const last = news.at(-1);
    const view = last === undefined ? before?.view : last.type === 'changed' ? last.pod : undefined;
    if (view !== undefined) {
      this.#reported.set(name, { view, asOf });
      this.#gone.delete(name);
    } else if (before !== undefined) {
      this.#reported.delete(name);
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

function newsOf(before: PodView | undefined, now: PodView | undefined): readonly PodNews[] {
  const isGone = before !== undefined && before.uid !== now?.uid;
  const isNews =
    now !== undefined && (before === undefined || isGone ? now.state === 'crashLooping' : now.state !== before.state);
  return [
    ...(isGone ? [{ type: 'gone', pod: { name: before.name, uid: before.uid } } as const] : []),
    ...(isNews ? [{ type: 'changed', pod: now } as const] : []),
  ];
}

function newer(one: string, other: string): string {
  return isOlder(one, other) ? other : one;
}

function isSighting(one: StoredObject<PodView | undefined> | undefined): one is Sighting {
  return one?.value !== undefined;
}
