import { Observable, Subscription } from 'rxjs';
import { readPod } from '../../domain/weeder/pod-reading.ts';
import type { PodView } from '../../domain/weeder/pod-view.ts';
import type { Chance, Clock, PodNews, PodWatch } from '../../effects/ports.ts';
import type { KubeClient } from '../kube-client.ts';
import type { KeptObject } from '../seed-watch/kept-object.ts';
import { listWatch } from '../seed-watch/list-watch.ts';
import type { StreamItem } from '../seed-watch/stream-item.ts';
import type { StreamNotice } from '../seed-watch/stream-notice.ts';
import { PodSightings } from './pod-sightings.ts';

export type PodWatchOptions = Readonly<{
  client: KubeClient;
  clock: Clock;
  chance: Chance;
  /** For logs and counters; decides nothing. */
  notice?: (notice: StreamNotice) => void;
}>;

/**
 * Pods that one selector keeps, some 400 bytes each. A control plane has some 40; in a namespace like `garden` a selector may
 * pick hundreds. If so many crash-looped at once, they would take the process half a second.
 */
export const mostPods = 2_000;

/** A pod has 10 to 20 KB, and a hundred such lists may be under way at a time. */
const podPage = 50;

/** Lists and watches the dependants of one service, for as long as somebody is subscribed (SPEC 7.2 to 7.4). */
export function podWatch({ client, clock, chance, notice = () => undefined }: PodWatchOptions): PodWatch {
  return {
    pods$: ({ namespace, service }, selectors) =>
      new Observable<PodNews>((news) => {
        const streams = [...new Set(selectors)].map((selector) => {
          const store = new Map<string, KeptObject<PodView | undefined>>();
          const items$ = listWatch({
            client,
            clock,
            chance,
            notice,
            store,
            stream: 'pods',
            of: `${namespace}/${service} ${selector}`,
            path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`,
            query: { labelSelector: selector },
            urgent: true,
            pageSize: podPage,
            limit: mostPods,
            project: readPod,
          });
          return { store, items$ };
        });
        const sightings = new PodSightings(
          namespace,
          streams.map(({ store }) => store),
        );
        const running = new Subscription();
        for (const { items$ } of streams)
          running.add(
            items$.subscribe((item) => {
              for (const one of newsIn(item, sightings)) news.next(one);
            }),
          );
        return running;
      }),
  };
}

function newsIn(item: StreamItem<unknown>, sightings: PodSightings): readonly PodNews[] {
  switch (item.type) {
    case 'listed':
      return [...item.deleted, ...item.applied.map(({ object }) => object)].flatMap((one) => sightings.look(one));
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
