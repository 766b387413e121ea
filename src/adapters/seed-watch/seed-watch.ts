import { BehaviorSubject, Subject, Subscription, type Observable } from 'rxjs';
import { dependantKey, type DependantRef } from '../../domain/prober/dependant.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { SeedWatch } from '../../effects/ports.ts';
import type { SeedEvent } from '../../machines/shoot-language.ts';
import { Dispatcher, whileSubscribed } from '../reflector/informer.ts';
import { ClusterEvents, DependantEvents } from './seed-events.ts';
import { seedInformers, type SeedWatchOptions } from './seed-informers.ts';

/**
 * The informers of one seed. All subscribers of `shoots$`, `events$` and `synced$` share them. They run as long as there is
 * a subscriber, and everything is forgotten when the last one leaves.
 */
export interface SharedSeedWatch extends SeedWatch {
  /** As the informer of the Secrets of this name holds it; undefined where there is no Secret, or none with a kubeconfig (SPEC 4.1). */
  kubeconfigOf(shoot: ShootNamespace, secret: string): string | undefined;
  /** The seed has shown us this version of the dependant in an answer, so the watch has to show it soon (SPEC 6.6). */
  expect(shoot: ShootNamespace, ref: DependantRef, resourceVersion: string): void;
  /** Whether the first lists are in (SPEC 9.3): emits at once, then at each change. */
  readonly synced$: Observable<boolean>;
}

/** Watches the Clusters, the kubeconfig Secrets, and each dependant of `apps/v1` (SPEC 3, 4.1, 6.2, 6.6). Never errors. */
export function seedWatch(options: SeedWatchOptions): SharedSeedWatch {
  const { clock, notice = () => undefined } = options;
  const { clusters, secrets, watched } = seedInformers(options);
  const dispatcher = new Dispatcher<ShootNamespace, SeedEvent>();
  const clusterEvents = new ClusterEvents(clusters, { clock, dispatcher, notice });
  const dependants = watched.map((one) => ({
    informer: one.informer,
    events: new DependantEvents(clock, one, dispatcher),
  }));
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
    shootSets.next(clusterEvents.shoots);
  };

  const start = () => {
    const running = new Subscription();
    running.add(
      clusters.updates$.subscribe((update) => {
        if (clusterEvents.dispatch(update) && synced.value) shootSets.next(clusterEvents.shoots);
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
      clusterEvents.forget();
      synced.next(false);
    });
    return running;
  };

  const shared = whileSubscribed(start);
  return {
    shoots$: shared((observer) => {
      if (synced.value) observer.next(clusterEvents.shoots);
      return shootSets.subscribe(observer);
    }),
    events$: (shoot) =>
      shared((observer) => {
        // The resources come first, so that a machine knows them when its Cluster starts it.
        for (const { events } of dependants) for (const event of events.currentEvents(shoot)) observer.next(event);
        for (const event of clusterEvents.currentEvents(shoot)) observer.next(event);
        return dispatcher.listen(shoot, observer);
      }),
    kubeconfigOf: (shoot, secret) => secrets.get(secret)?.get(shoot, secret),
    expect: (shoot, ref, resourceVersion) => {
      const key = dependantKey(ref);
      watched.find(({ dependant }) => dependant.key === key)?.informer.expect(shoot, ref.name, resourceVersion);
    },
    synced$: shared((observer) => synced.subscribe(observer)),
  };
}
