import { BehaviorSubject, Subject, type Observable } from 'rxjs';
import { readSlice, type SliceReading, type Slices } from '../../domain/weeder/service-slices.ts';
import type { SliceGap } from '../../domain/weeder/slice-gap.ts';
import type { Instant } from '../../domain/time.ts';
import type { ServiceKey } from '../../domain/weeder/service-ref.ts';
import type { WeederConfig } from '../../domain/weeder/weeder-config.ts';
import type { Chance, Clock, ServiceWatch } from '../../effects/ports.ts';
import type { ServiceEvent } from '../../machines/weeder-language.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { endpointSlicesPath } from '../kube/paths.ts';
import { Dispatcher, whileSubscribed } from '../reflector/dispatcher.ts';
import { Informer } from '../reflector/informer.ts';
import type { SeedHistory } from '../reflector/seed-history.ts';
import type { StreamItem } from '../reflector/stream-item.ts';
import type { StreamNotice } from '../reflector/stream-trouble.ts';
import { ServiceSlices } from './service-slices.ts';

export type ServiceWatchOptions = Readonly<{
  client: KubeClient;
  clock: Clock;
  chance: Chance;
  config: Pick<WeederConfig, 'services'>;
  /** Of the seed, shared with the streams of pods. */
  history?: SeedHistory;
  /** For logs and counters; decides nothing. */
  notice?: (notice: StreamNotice) => void;
}>;

/**
 * The watch on one seed's EndpointSlices. All subscribers of `services$`, `events$` and `synced$` share it. It runs as long as
 * there is a subscriber, and everything is forgotten when the last one leaves.
 */
export interface SharedServiceWatch extends ServiceWatch {
  /** Whether the first list is in (SPEC 9.3): emits at once, then at each change. */
  readonly synced$: Observable<boolean>;
}

/** Ten services in a thousand namespaces, with two slices each (dual stack). A stored slice takes some 500 bytes. */
const mostSlices = 20_000;

/** A slice has 1 or 2 KB; with 1,000 endpoints, the most that Kubernetes allows, 300 KB. */
const slicePage = 100;

/** Watches the EndpointSlices of the configured services, in all namespaces (SPEC 7.1). Never errors. */
export function serviceWatch(options: ServiceWatchOptions): SharedServiceWatch {
  const { client, clock, chance, config, history, notice = () => undefined } = options;
  const names = new Set(config.services.map(({ name }) => name));
  const slices = new ServiceSlices();
  const dispatcher = new Dispatcher<ServiceKey, ServiceEvent>();
  const sets = new Subject<ReadonlySet<ServiceKey>>();
  const synced = new BehaviorSubject(false);
  const informer = new Informer<SliceReading | undefined>({
    client,
    clock,
    chance,
    history,
    notice,
    stream: 'endpointslices',
    path: endpointSlicesPath,
    query: { labelSelector: `kubernetes.io/service-name in (${[...names].join(',')})` },
    pageSize: slicePage,
    limit: mostSlices,
    project: (object) => {
      const reading = readSlice(object);
      return reading !== undefined && names.has(reading.service) ? reading : undefined;
    },
  });

  const eventOf = (known: Slices | undefined, gap?: SliceGap): ServiceEvent => {
    const at = clock.now();
    if (known === undefined) return { type: 'service.gone', at };
    return { type: 'slices.changed', at, slices: known, ...(gap === undefined ? {} : { gap }) };
  };

  const start = () => {
    /** When the stream last spoke. A watch that goes on where it was cut misses nothing; one that was half open was silent before it was cut. */
    let heardAt: Instant | undefined;
    const running = informer.updates$.subscribe(({ item }) => {
      const gap = gapBefore(item, heardAt);
      if (item.type !== 'out' && item.type !== 'live') heardAt = clock.now();
      const changes = slices.apply(item);
      for (const one of changes) dispatcher.dispatch(one.service, eventOf(one.slices, gap));
      const isFirst = informer.listed && !synced.value;
      if (isFirst) synced.next(true);
      if (isFirst || changes.some((one) => one.isNew || one.slices === undefined)) sets.next(slices.services);
    });
    running.add(() => {
      slices.forget();
      synced.next(false);
    });
    return running;
  };

  const shared = whileSubscribed(start);
  return {
    services$: shared((observer) => {
      if (synced.value) observer.next(slices.services);
      return sets.subscribe(observer);
    }),
    events$: (service) =>
      shared((observer) => {
        const known = slices.of(service);
        if (known !== undefined) observer.next(eventOf(known));
        return dispatcher.listen(service, observer);
      }),
    synced$: shared((observer) => synced.subscribe(observer)),
  };
}

/** Only a list can hide what happened before it; the first one has nothing before it. */
function gapBefore(item: StreamItem<unknown>, heardAt: Instant | undefined): SliceGap | undefined {
  if (item.type !== 'listed' || heardAt === undefined) return undefined;
  return { since: heardAt, ...(item.rewound ? { rewound: true } : {}) };
}
