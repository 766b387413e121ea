import { BehaviorSubject, Subject, Subscription, type Observable } from 'rxjs';
import { dependantKey, type DependantRef } from '../../domain/prober/dependant.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { SeedWatch } from '../../effects/ports.ts';
import type { SeedEvent } from '../../machines/shoot-language.ts';
import { Followers, whileHeld } from '../reflector/dispatcher.ts';
import { ClusterEvents } from './cluster-events.ts';
import { DependantEvents } from './dependant-events.ts';
import { type KubeconfigSecret, seedFeeds, type SeedWatchOptions } from './seed-feeds.ts';

/**
 * The streams of one seed. They run for as long as anybody is subscribed to `shoots$`, `events$` or `synced$`, are
 * shared by all of them, and are forgotten when the last one leaves.
 */
export interface SharedSeedWatch extends SeedWatch {
  /** As the Secrets' stream holds it; undefined where there is no Secret, or none with a kubeconfig (SPEC 4.1). */
  kubeconfigOf(shoot: ShootNamespace): KubeconfigSecret | undefined;
  /** The seed has answered us with this version of the dependant: the watch has to tell of it soon (SPEC 6.6). */
  expect(shoot: ShootNamespace, ref: DependantRef, resourceVersion: string): void;
  /** Whether the first lists are in (SPEC 9.3): at once, then each change. */
  readonly synced$: Observable<boolean>;
}

/** Watches the Clusters, the kubeconfig Secrets, and each dependant of `apps/v1` (SPEC 3, 4.1, 6.2, 6.6). Never errors. */
export function seedWatch(options: SeedWatchOptions): SharedSeedWatch {
  const { clock, notice = () => undefined } = options;
  const { clusters, secrets, watched } = seedFeeds(options);
  const followers = new Followers<ShootNamespace, SeedEvent>();
  const clusterEvents = new ClusterEvents(clusters, { clock, followers, notice });
  const dependants = watched.map((one) => ({ feed: one.feed, events: new DependantEvents(clock, one, followers) }));
  const shootSets = new Subject<ReadonlySet<ShootNamespace>>();
  const synced = new BehaviorSubject(false);

  // A dependant whose watch is refused will not come: it is read by GET instead (SPEC 6.6).
  const isSynced = () => clusters.listed && secrets.listed && watched.every(({ feed }) => feed.listed || feed.refused);

  const lookWhetherSynced = () => {
    if (synced.value || !isSynced()) return;
    synced.next(true);
    shootSets.next(clusterEvents.shoots);
  };

  const start = () => {
    const running = new Subscription();
    running.add(
      clusters.items$.subscribe((item) => {
        if (clusterEvents.follow(item) && synced.value) shootSets.next(clusterEvents.shoots);
        lookWhetherSynced();
      }),
    );
    running.add(
      secrets.items$.subscribe((item) => {
        secrets.take(item);
        lookWhetherSynced();
      }),
    );
    for (const { feed, events } of dependants) {
      running.add(
        feed.items$.subscribe((item) => {
          events.follow(item);
          lookWhetherSynced();
        }),
      );
    }
    running.add(() => {
      for (const feed of [clusters, secrets, ...watched.map(({ feed }) => feed)]) feed.forget();
      clusterEvents.forget();
      synced.next(false);
    });
    return running;
  };

  const held = whileHeld(start);
  return {
    shoots$: held((observer) => {
      if (synced.value) observer.next(clusterEvents.shoots);
      return shootSets.subscribe(observer);
    }),
    events$: (shoot) =>
      held((observer) => {
        // Resources first, so that a machine knows them when its Cluster starts it.
        for (const { events } of dependants) for (const event of events.presentOf(shoot)) observer.next(event);
        for (const event of clusterEvents.presentOf(shoot)) observer.next(event);
        return followers.follow(shoot, observer);
      }),
    kubeconfigOf: (shoot) => secrets.get(shoot, options.config.kubeConfigSecretName),
    expect: (shoot, ref, resourceVersion) => {
      const key = dependantKey(ref);
      watched.find(({ dependant }) => dependant.key === key)?.feed.expect(shoot, ref.name, resourceVersion);
    },
    synced$: held((observer) => synced.subscribe(observer)),
  };
}
