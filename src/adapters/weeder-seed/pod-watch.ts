import { Observable, Subscription } from 'rxjs';
import { readPod, type PodView } from '../../domain/weeder/pod.ts';
import type { Chance, Clock, PodNews, PodWatch } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { podsPath } from '../kube/paths.ts';
import type { StoredObject, StreamItem } from '../reflector/stream-item.ts';
import { reflector } from '../reflector/reflector.ts';
import { SeedHistory } from '../reflector/seed-history.ts';
import type { StreamNotice } from '../reflector/stream-trouble.ts';
import { PodSightings, type PodStore } from './pod-sightings.ts';

export type PodWatchOptions = Readonly<{
  client: KubeClient;
  clock: Clock;
  chance: Chance;
  /** Of the seed, shared with the informer of the slices. */
  history?: SeedHistory;
  /** For logs and counters; decides nothing. */
  notice?: (notice: StreamNotice) => void;
}>;

/**
 * Pods that are stored for one selector, some 400 bytes each. A control plane has some 40; in a namespace like `garden` a selector may
 * pick hundreds. If this many crash-looped at once, the process would be busy for half a second.
 */
export const mostPods = 2_000;

/** A pod has 10 to 20 KB, and a hundred such lists may be under way at the same time. */
const podPage = 50;

/**
 * Lists and watches the dependants of one service, for as long as somebody is subscribed (SPEC 7.2 to 7.4).
 *
 * A pod is remembered in four places, each for another question. The store of each selector's stream: what does the seed show?
 * `PodSightings`, one for the streams of a service: what is news? The machine's `PodLedger`, one for each service: how far is its
 * deletion? `oncePerIncarnation`, one for the seed: has another service deleted it already?
 */
export function podWatch(options: PodWatchOptions): PodWatch {
  const { client, clock, chance, history = new SeedHistory(), notice = () => undefined } = options;
  return {
    pods$: ({ namespace, service }, selectors) =>
      new Observable<PodNews>((news) => {
        const streams = [...new Set(selectors)].map((selector) => {
          const store = new Map<string, StoredObject<PodView | undefined>>();
          const items$ = reflector({
            client,
            clock,
            chance,
            history,
            notice,
            objects: store,
            stream: 'pods',
            of: `${namespace}/${service} ${selector}`,
            path: podsPath(namespace),
            query: { labelSelector: selector },
            lane: 'urgent',
            pageSize: podPage,
            limit: mostPods,
            project: readPod,
          });
          return { store, items$, timesBack: 0 };
        });
        // A store that was listed before the seed's history went back does not count any more.
        const sightings = new PodSightings(namespace, () =>
          streams.filter(({ timesBack }) => timesBack === history.timesBack).map(({ store }) => store),
        );
        let reportedUpTo = history.timesBack;
        const running = new Subscription();
        for (const stream of streams)
          running.add(
            stream.items$.subscribe((item) => {
              const voided = item.type === 'listed' && reportedUpTo < history.timesBack ? sightings.forget() : [];
              if (item.type === 'listed') reportedUpTo = stream.timesBack = history.timesBack;
              for (const one of [...voided, ...newsIn(item, sightings, stream.store)]) news.next(one);
            }),
          );
        return running;
      }),
  };
}

function newsIn(item: StreamItem<unknown>, sightings: PodSightings, store: PodStore): readonly PodNews[] {
  switch (item.type) {
    case 'listed': {
      const applied = item.rewound ? [...store.values()] : item.applied.map(({ object }) => object);
      return [...item.deleted, ...applied].flatMap((one) => sightings.look(one));
    }
    case 'applied':
      return sightings.look(item.object);
    case 'deleted':
      return sightings.look(item, item.resourceVersion);
    case 'dropped':
    case 'advanced':
    case 'live':
    case 'out':
      return [];
  }
}
