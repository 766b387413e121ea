import type { PodView } from '../../domain/weeder/pod.ts';
import type { PodSelector } from '../../domain/weeder/weeder-config.ts';
import type { PodNews } from '../../effects/ports.ts';
import { objectKey, type StoredObject, type StreamItem } from '../reflector/stream-item.ts';
import type { PickedPod } from './picked-pod.ts';

/** All pods of a namespace that some selector of the configuration picks. */
export type PodStore = ReadonlyMap<string, StoredObject<PickedPod>>;

/**
 * What one service has been told of its dependants. Each pod is reported once, and only where there is news of it (SPEC 7.2, 7.4).
 * Two incarnations never have the same name at the same time.
 */
export class PodFollower {
  readonly #store: PodStore;
  readonly #selectors: readonly PodSelector[];
  /** By the pod's key; without the pods that never crash-looped. */
  readonly #reported = new Map<string, PodView>();

  constructor(store: PodStore, selectors: readonly PodSelector[]) {
    this.#store = store;
    this.#selectors = selectors;
  }

  /** What the store shows by now. */
  all(): readonly PodNews[] {
    return [...this.#store.keys()].flatMap((key) => this.#look(key));
  }

  /** The news in an item of the stream, which the store has applied already. */
  newsIn(item: StreamItem<PickedPod>): readonly PodNews[] {
    switch (item.type) {
      case 'listed': {
        const changed = item.applied.map(({ object }) => object);
        return item.rewound
          ? [...this.#forget(), ...this.all()]
          : [...item.deleted, ...changed].flatMap((one) => this.#look(objectKey(one.namespace, one.name)));
      }
      case 'applied':
        return this.#look(objectKey(item.object.namespace, item.object.name));
      case 'deleted':
        return this.#look(objectKey(item.namespace, item.name));
      case 'dropped':
      case 'advanced':
      case 'live':
      case 'out':
        return [];
    }
  }

  #look(key: string): readonly PodNews[] {
    const before = this.#reported.get(key);
    const seen = this.#store.get(key)?.value;
    const now = this.#selectors.some((selector) => seen?.by.has(selector)) ? seen?.view : undefined;
    const news = newsOf(before, now);
    const last = news.at(-1);
    if (last?.type === 'changed') this.#reported.set(key, last.pod);
    if (last?.type === 'gone') this.#reported.delete(key);
    return news;
  }

  /** The seed's history went back, so nothing that was reported counts any more: a deleted pod may be there again, with the same UID. */
  #forget(): readonly PodNews[] {
    const reported = [...this.#reported.values()];
    this.#reported.clear();
    return reported.map(({ name, uid }) => ({ type: 'gone', pod: { name, uid } }));
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
