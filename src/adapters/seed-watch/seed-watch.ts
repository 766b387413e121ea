import { isDeepStrictEqual } from 'node:util';
import { BehaviorSubject, Subject, Subscription, type Observable } from 'rxjs';
import type { ShootNamespace } from '../../domain/names.ts';
import type { ClusterReading } from '../../domain/prober/cluster-view.ts';
import { dependantKey, type DependantRef } from '../../domain/prober/dependant.ts';
import type { ResourceView } from '../../domain/prober/resource-view.ts';
import type { Clock, SeedWatch } from '../../effects/ports.ts';
import type { SeedEvent } from '../../machines/shoot-language.ts';
import { Dispatcher, whileSubscribed, type Informer, type InformerUpdate } from '../reflector/informer.ts';
import { appliedIn, deletedIn, type Applied, type StreamNotice } from '../reflector/stream-item.ts';
import { seedInformers, type SeedWatchOptions, type WatchedDependant } from './seed-informers.ts';

/**
 * The informers of one seed. All subscribers of `shoots$`, `events$` and `synced$` share them. They run as long as there is
 * a subscriber, and everything is forgotten when the last one leaves.
 */
export interface SharedSeedWatch extends SeedWatch {
  /** As the informer of the Secrets of this name holds it; undefined where there is no Secret, or none with a kubeconfig (SPEC 4.1). */
  kubeconfigOf(shoot: ShootNamespace, secret: string): string | undefined;
  /** The seed has shown us this version of the dependant in an answer, so the watch has to show it soon (SPEC 6.6). */
  expect(shoot: ShootNamespace, ref: DependantRef, resourceVersion: string): void;
  /** A GET may tell a machine of its Cluster what the stream never held: what the stream says from now on is news (SPEC 3.5). */
  clusterAsked(shoot: ShootNamespace): void;
  /** Whether the first lists are in (SPEC 9.3): emits at once, then at each change. */
  readonly synced$: Observable<boolean>;
}

/** Watches the Clusters, the kubeconfig Secrets, and each dependant of `apps/v1` (SPEC 3, 4.1, 6.2, 6.6). Never errors. */
export function seedWatch(options: SeedWatchOptions): SharedSeedWatch {
  const { clock, notice = () => undefined } = options;
  const { clusters, secrets, watched } = seedInformers(options);
  const dispatcher = new Dispatcher<ShootNamespace, SeedEvent>();
  const ports = { clock, dispatcher, notice };
  const ofClusters = clusterEvents(clusters, ports);
  const dependants = watched.map((one) => ({ informer: one.informer, events: dependantEvents(one, ports) }));
  const shootSets = new Subject<ReadonlySet<ShootNamespace>>();
  const synced = new BehaviorSubject(false);

  // A dependant whose watch is refused will not come. It is read by GET instead (SPEC 6.6).
  const isSynced = () =>
    clusters.listed &&
    [...secrets.values()].every(({ listed }) => listed) &&
    watched.every(({ informer }) => informer.listed || informer.refused);

  const updateSynced = () => {
    if (synced.value || !isSynced()) return;
    synced.next(true);
    shootSets.next(ofClusters.shoots());
  };

  const start = () => {
    const running = new Subscription();
    running.add(
      clusters.updates$.subscribe((update) => {
        if (ofClusters.dispatch(update) && synced.value) shootSets.next(ofClusters.shoots());
        updateSynced();
      }),
    );
    for (const informer of secrets.values()) running.add(informer.updates$.subscribe(updateSynced));
    for (const { informer, events } of dependants) {
      running.add(
        informer.updates$.subscribe((update) => {
          events.dispatch(update);
          updateSynced();
        }),
      );
    }
    running.add(() => {
      ofClusters.forget();
      synced.next(false);
    });
    return running;
  };

  const shared = whileSubscribed(start);
  return {
    shoots$: shared((observer) => {
      if (synced.value) observer.next(ofClusters.shoots());
      return shootSets.subscribe(observer);
    }),
    events$: (shoot) =>
      shared((observer) => {
        // The resources come first, so that a machine knows them when its Cluster starts it.
        for (const { events } of dependants) for (const event of events.currentEvents(shoot)) observer.next(event);
        for (const event of ofClusters.currentEvents(shoot)) observer.next(event);
        return dispatcher.listen(shoot, observer);
      }),
    kubeconfigOf: (shoot, secret) => secrets.get(secret)?.get(shoot, secret),
    expect: (shoot, ref, resourceVersion) => {
      const key = dependantKey(ref);
      watched.find(({ dependant }) => dependant.key === key)?.informer.expect(shoot, ref.name, resourceVersion);
    },
    clusterAsked: ofClusters.asked,
    synced$: shared((observer) => synced.subscribe(observer)),
  };
}

type EventPorts = Readonly<{
  clock: Clock;
  dispatcher: Dispatcher<ShootNamespace, SeedEvent>;
  notice: (notice: StreamNotice) => void;
}>;

/** Turns the updates of the Clusters into events of their shoots, and keeps the set of all shoots (SPEC 3). */
function clusterEvents(informer: Informer<ClusterReading>, { clock, dispatcher, notice }: EventPorts) {
  const present = new Set<ShootNamespace>();
  /** Whose machine may know a version that the stream never held. */
  const asked = new Set<ShootNamespace>();

  const changed = (reading: ClusterReading): SeedEvent => ({ type: 'cluster.changed', at: clock.now(), reading });

  const watched = (): SeedEvent => {
    const { live, wasLive } = informer;
    return { type: 'cluster.watched', at: clock.now(), live, ...(wasLive ? {} : { never: true }) };
  };

  const dispatchChange = ({ object: { name, value }, before }: Applied<ClusterReading>): void => {
    present.add(name);
    // Gardener writes a Cluster with each heartbeat of its shoot; most of these writes change nothing that we use.
    if (!asked.delete(name) && before !== undefined && isDeepStrictEqual(before.value, value)) return;
    if (!value.readable) notice({ kind: 'unreadable', stream: 'clusters', object: name, problem: value.problem });
    dispatcher.dispatch(name, changed(value));
  };

  /** They hear again how their Cluster is. */
  const dispatchAnew = (shoots: Iterable<ShootNamespace>): void => {
    for (const shoot of shoots) {
      const reading = informer.get('', shoot);
      if (reading !== undefined) dispatcher.dispatch(shoot, changed(reading));
      asked.delete(shoot);
    }
  };

  const dispatchWatched = (): void => {
    if (informer.live) dispatchAnew(dispatcher.keys());
    for (const shoot of dispatcher.keys()) dispatcher.dispatch(shoot, watched());
  };

  return {
    /** A copy. */
    shoots: (): ReadonlySet<ShootNamespace> => new Set(present),

    currentEvents(shoot: ShootNamespace): readonly SeedEvent[] {
      const reading = informer.get('', shoot);
      return [watched(), ...(reading === undefined ? [] : [changed(reading)])];
    },

    /** Returns whether a shoot has come or gone. */
    dispatch({ item, liveChanged }: InformerUpdate<ClusterReading>): boolean {
      const gone = deletedIn(item).filter(({ name }) => present.delete(name));
      for (const { name } of gone) dispatcher.dispatch(name, { type: 'cluster.gone', at: clock.now() });
      const left = present.size;
      for (const one of appliedIn(item)) dispatchChange(one);
      if (item.type === 'listed') dispatchAnew(asked);
      if (liveChanged) dispatchWatched();
      return gone.length > 0 || present.size > left;
    },

    asked: (shoot: ShootNamespace): void => void asked.add(shoot),

    forget: () => {
      present.clear();
      asked.clear();
    },
  };
}

/** Turns the updates of one dependant into events of the shoots that have a listener (SPEC 6.2, 6.6). */
function dependantEvents({ informer, dependant }: WatchedDependant, { clock, dispatcher }: EventPorts) {
  const { key, ref } = dependant;

  /** None as long as no list has shown whether the resource is there. */
  const viewOf = (shoot: ShootNamespace, how?: Readonly<{ rewound: true }>): readonly SeedEvent[] => {
    if (!informer.listed) return [];
    const view = informer.get(shoot, ref.name) ?? { found: false, resourceVersion: informer.asOf };
    return [{ type: 'dependant.changed', at: clock.now(), key, view, ...how }];
  };

  const watched = (): SeedEvent => {
    const { live, wasLive } = informer;
    return { type: 'dependant.watched', at: clock.now(), key, live, ...(wasLive ? {} : { never: true }) };
  };

  const dispatchView = (shoot: ShootNamespace, how?: Readonly<{ rewound: true }>): void => {
    if (!dispatcher.hasListener(shoot)) return;
    for (const event of viewOf(shoot, how)) dispatcher.dispatch(shoot, event);
  };

  /** A machine that read the resource by a GET while the watch was out may know of one that no list held. That it is gone is news to it. */
  const dispatchMissing = (): void => {
    for (const shoot of dispatcher.keys()) if (informer.get(shoot, ref.name) === undefined) dispatchView(shoot);
  };

  return {
    /** The view comes first: when a listener hears that the watch is live, it knows already what the watch holds. */
    currentEvents: (shoot: ShootNamespace): readonly SeedEvent[] => [...viewOf(shoot), watched()],

    dispatch({ item, liveChanged }: InformerUpdate<ResourceView>): void {
      if (item.type === 'applied') dispatchView(item.object.namespace);
      if (item.type === 'deleted') dispatchView(item.namespace);
      // To every shoot: a machine may know more than the stream ever held, from the answer to a write that is undone now.
      if (item.type === 'listed' && item.rewound)
        for (const shoot of dispatcher.keys()) dispatchView(shoot, { rewound: true });
      else if (item.type === 'listed') {
        for (const { object } of item.applied) dispatchView(object.namespace);
        dispatchMissing();
      }
      if (liveChanged) for (const shoot of dispatcher.keys()) dispatcher.dispatch(shoot, watched());
    },
  };
}
