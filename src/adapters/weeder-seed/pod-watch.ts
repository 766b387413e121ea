import { filter, Observable, Subject } from 'rxjs';
import type { Instant, Millis } from '../../domain/time.ts';
import { textAt } from '../../domain/value-at.ts';
import type { WeederConfig, PodSelector } from '../../domain/weeder/weeder-config.ts';
import type { PodNews, PodWatch } from '../../effects/ports.ts';
import { podsPath } from '../kube/paths.ts';
import { whileSubscribed, type WhileSubscribed } from '../reflector/informer.ts';
import { reflector } from '../reflector/reflector.ts';
import { SeedHistory } from '../reflector/seed-history.ts';
import {
  appliedIn,
  deletedIn,
  objectKey,
  type StoredObject,
  type StreamItem,
  type StreamPorts,
} from '../reflector/stream-item.ts';
import type { LoopingVersion } from './pod-remover.ts';
import { labelsOf, readSelector } from '../../domain/read-selector.ts';
import { isMissed, podParts, readPod, type PodView } from '../../domain/weeder/pod.ts';

export type PodWatchOptions = StreamPorts & Readonly<{ config: Pick<WeederConfig, 'services'> }>;

/**
 * Pods that are stored for one namespace, some 500 bytes each, of those that any selector of the configuration picks. A control plane
 * has some 40; in a namespace like `garden` a selector may pick hundreds. If this many crash-looped at once, the process would be
 * busy for half a second.
 */
export const mostPods = 2_000;

/** Pods that crash-loop and that no selector picks, stored of one namespace: they are only told of (SPEC 7.7). */
export const mostUnselected = 100;

/** A pod has 10 to 20 KB. */
const podPage = 50;

/** A list has up to 40 pages. Where hundreds of pods have changed unseen, one list tells of them all. */
const listsApart: Millis = 10_000;

/** The one stream of a namespace, for all its services whose windows are open. */
type NamespacePods = Readonly<{
  store: Map<string, StoredObject<PickedPod>>;
  items: Subject<StreamItem<PickedPod>>;
  missed: Subject<void>;
  whileFollowed: WhileSubscribed;
  /** The oldest is told of what no selector picks, so that each such pod is told once. */
  followers: Set<ReturnType<typeof podFollower>>;
  /** The store is of the history that the seed has now. */
  isValid: () => boolean;
}>;

/**
 * Lists and watches the pods of a namespace, for as long as somebody is subscribed to the dependants of any of its services (SPEC 7.2 to
 * 7.4). The API server is asked for all of them, and the selectors are judged here: otherwise each would take a connection, and a
 * service that comes back while another one's window is open would wait for a list.
 *
 * A pod is remembered in four places, each for another question. The store of the namespace's stream: what does the seed show?
 * `PodFollower`, one for each service: what is news? The machine's `PodLedger`, one for each service: how far is its
 * deletion? `oncePerIncarnation`, one for the seed: has another service deleted it already?
 */
export function podWatch(options: PodWatchOptions): PodWatch & Readonly<{ versionOf: LoopingVersion }> {
  const { config, history = new SeedHistory(), ...ports } = options;
  const { clock } = ports;
  const picking = podPicking(config.services.flatMap(({ podSelectors }) => podSelectors));
  const watched = new Map<string, NamespacePods>();

  const open = (namespace: string): NamespacePods => {
    const store: NamespacePods['store'] = new Map();
    const items: NamespacePods['items'] = new Subject();
    const missed = new Subject<void>();
    let listedAt: Instant = -Infinity;
    const isTime = (): boolean => {
      if (clock.now() - listedAt < listsApart) return false;
      listedAt = clock.now();
      return true;
    };
    let timesBack = history.timesBack;
    const items$ = reflector<PickedPod>({
      ...ports,
      history,
      objects: store,
      stream: 'pods',
      of: namespace,
      path: podsPath(namespace),
      lane: 'urgent',
      pageSize: podPage,
      keeps: podParts,
      deep: true,
      limit: mostPods,
      minor: { is: isUnselected, limit: mostUnselected },
      missed$: missed.pipe(filter(isTime)),
      // What a server sends beside the namespace that was asked for is deleted nowhere.
      selects: (object) => textAt(object, 'metadata', 'namespace') === namespace && picking.selects(object),
      project: picking.project,
    });
    const whileFollowed = whileSubscribed(() => {
      const running = items$.subscribe((item) => {
        if (item.type === 'listed') ({ timesBack } = history);
        items.next(item);
      });
      running.add(() => watched.delete(namespace));
      return running;
    });
    const followers: NamespacePods['followers'] = new Set();
    const pods = { store, items, missed, whileFollowed, followers, isValid: () => timesBack === history.timesBack };
    watched.set(namespace, pods);
    return pods;
  };

  return {
    versionOf: (namespace, { name, uid }) => {
      const pods = watched.get(namespace);
      const seen = pods?.isValid() === true ? pods.store.get(objectKey(namespace, name)) : undefined;
      const view = seen?.value.view;
      return view?.uid === uid && view.state === 'waiting' && view.spared !== 'unselected'
        ? seen?.resourceVersion
        : undefined;
    },

    listAgain: (namespace) => watched.get(namespace)?.missed.next(),

    pods$: ({ namespace }, selectors) => {
      picking.expect(selectors);
      return new Observable<PodNews>((observer) => {
        const { store, items, whileFollowed, followers, isValid } = watched.get(namespace) ?? open(namespace);
        const follower = podFollower(store, selectors, () => followers.values().next().value === follower);
        const tell = (news: readonly PodNews[]): void => {
          for (const one of news) observer.next(one);
        };
        followers.add(follower);
        const following = whileFollowed<never>(() => {
          if (isValid()) tell(follower.all());
          return items.subscribe((item) => tell(follower.newsIn(item)));
        }).subscribe();
        return () => {
          followers.delete(follower);
          following.unsubscribe();
        };
      });
    },
  };
}

/** A pod, and which selectors pick it; none where it only crash-loops (SPEC 7.7). `view` is undefined where the pod could not be read. */
type PickedPod = Readonly<{ view: PodView | undefined; by: ReadonlySet<PodSelector> }>;

function isUnselected({ by }: PickedPod): boolean {
  return by.size === 0;
}

/** Judges pods by all selectors of a configuration, which must be such as Kubernetes takes (SPEC 7). */
function podPicking(selectors: readonly PodSelector[]) {
  const read = [...new Set(selectors)].map((selector) => {
    const one = readSelector(selector);
    if ('problem' in one) throw new Error(`the selector of pods ${selector}: ${one.problem}`);
    return { selector, selects: one.selects };
  });
  const known = new Set(selectors);
  return {
    /** Some selector picks it, or one should perhaps. */
    selects: (object: unknown): boolean =>
      read.some(({ selects }) => selects(labelsOf(object))) || isMissed(readPod(object)),
    project: (object: unknown): PickedPod => {
      const labels = labelsOf(object);
      const by = new Set(read.filter(({ selects }) => selects(labels)).map(({ selector }) => selector));
      const view = readPod(object);
      return { view: view === undefined || by.size > 0 ? view : { ...view, spared: 'unselected' }, by };
    },
    /** Throws where one of them is none of the configuration: its pods are not kept. */
    expect(asked: readonly PodSelector[]): void {
      const strange = asked.find((selector) => !known.has(selector));
      if (strange !== undefined) throw new Error(`no pods are kept for the selector ${strange}`);
    },
  };
}

/** All pods of a namespace that some selector of the configuration picks, and those that crash-loop and that none picks. */
type PodStore = ReadonlyMap<string, StoredObject<PickedPod>>;

/**
 * What one service has been told of its dependants. Each pod is reported once, and only where there is news of it (SPEC 7.2, 7.4).
 * Two incarnations never have the same name at the same time. `isOldest`: it is told of what no selector picks, too.
 */
function podFollower(store: PodStore, selectors: readonly PodSelector[], isOldest: () => boolean) {
  /** By the pod's key; without the pods that never crash-looped. */
  const reported = new Map<string, PodView>();

  const look = (key: string): readonly PodNews[] => {
    const before = reported.get(key);
    const seen = store.get(key)?.value;
    const isTold =
      seen !== undefined && (isUnselected(seen) ? isOldest() : selectors.some((selector) => seen.by.has(selector)));
    const now = isTold ? seen.view : undefined;
    const news = newsOf(before, now);
    const last = news.at(-1);
    if (last?.type === 'changed') reported.set(key, last.pod);
    if (last?.type === 'gone') reported.delete(key);
    return news;
  };

  /** What the store shows by now. */
  const all = (): readonly PodNews[] => [...store.keys()].flatMap((key) => look(key));

  /** The seed's history went back, so nothing that was reported counts any more: a deleted pod may be there again, with the same UID. */
  const forget = (): readonly PodNews[] => {
    const pods = [...reported.values()];
    reported.clear();
    return pods.map(({ name, uid }) => ({ type: 'gone', pod: { name, uid } }));
  };

  return {
    all,
    /** The news in an item of the stream, which the store has applied already. */
    newsIn(item: StreamItem<PickedPod>): readonly PodNews[] {
      if (item.type === 'listed' && item.rewound) return [...forget(), ...all()];
      const changed = [...deletedIn(item), ...appliedIn(item).map(({ object }) => object)];
      return changed.flatMap(({ namespace, name }) => look(objectKey(namespace, name)));
    },
  };
}

function newsOf(before: PodView | undefined, now: PodView | undefined): readonly PodNews[] {
  const isGone = before !== undefined && before.uid !== now?.uid;
  const isNews =
    now !== undefined &&
    (before === undefined || isGone
      ? now.state === 'waiting'
      : now.state !== before.state || now.spared !== before.spared);
  return [
    ...(isGone ? [{ type: 'gone', pod: { name: before.name, uid: before.uid } } as const] : []),
    ...(isNews ? [{ type: 'changed', pod: now } as const] : []),
  ];
}
