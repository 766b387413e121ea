import { labelsOf, readSelector } from '../../domain/read-selector.ts';
import { readPod, type PodView } from '../../domain/weeder/pod.ts';
import type { PodSelector } from '../../domain/weeder/weeder-config.ts';
import type { PodNews } from '../../effects/ports.ts';
import { objectKey, type StoredObject, type StreamItem } from '../reflector/stream-item.ts';

/** A pod, and which selectors pick it. `view` is undefined where the pod could not be read. */
export type PickedPod = Readonly<{ view: PodView | undefined; by: ReadonlySet<PodSelector> }>;

/** Judges pods by all selectors of a configuration. */
export type PodPicking = Readonly<{
  /** Some selector picks it. */
  selects: (object: unknown) => boolean;
  project: (object: unknown) => PickedPod;
  /** Throws where one of them is none of the configuration: its pods are not kept. */
  expect: (selectors: readonly PodSelector[]) => void;
}>;

/** The selectors must be such as Kubernetes takes; those of a configuration are (SPEC 7). */
export function podPicking(selectors: readonly PodSelector[]): PodPicking {
  const read = [...new Set(selectors)].map((selector) => {
    const one = readSelector(selector);
    if ('problem' in one) throw new Error(`the selector of pods ${selector}: ${one.problem}`);
    return { selector, selects: one.selects };
  });
  const known = new Set(selectors);
  return {
    selects: (object) => read.some(({ selects }) => selects(labelsOf(object))),
    project: (object) => {
      const labels = labelsOf(object);
      const by = read.filter(({ selects }) => selects(labels)).map(({ selector }) => selector);
      return { view: readPod(object), by: new Set(by) };
    },
    expect: (asked) => {
      const strange = asked.find((selector) => !known.has(selector));
      if (strange !== undefined) throw new Error(`no pods are kept for the selector ${strange}`);
    },
  };
}

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
