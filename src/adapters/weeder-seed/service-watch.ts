import { BehaviorSubject, distinctUntilChanged, Subject, type Observable } from 'rxjs';
import type { Slices, SliceGap } from '../../domain/weeder/service-slices.ts';
import type { ServiceKey } from '../../domain/weeder/service-ref.ts';
import type { WeederConfig } from '../../domain/weeder/weeder-config.ts';
import type { Chance, Clock, ServiceWatch } from '../../effects/ports.ts';
import type { ServiceEvent } from '../../machines/weeder-language.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { Dispatcher, whileSubscribed } from '../reflector/informer.ts';
import { SeedHistory } from '../reflector/seed-history.ts';
import type { StreamNotice } from '../reflector/stream-item.ts';
import { grantedSource } from './granted-source.ts';
import { endpointSliceKind, endpointsKind, ServiceSource } from './service-source.ts';

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
 * The watch on one seed's EndpointSlices, or on its Endpoints. All subscribers share it. It runs as long as
 * there is a subscriber, and everything is forgotten when the last one leaves.
 */
export interface SharedServiceWatch extends ServiceWatch {
  /** Whether the first list is in (SPEC 9.3): emits at once, then at each change. */
  readonly synced$: Observable<boolean>;
  /** Whether what is known of the services follows the seed: emits at once, then at each change. */
  readonly live$: Observable<boolean>;
}

/**
 * Watches the EndpointSlices of the configured services, in all namespaces (SPEC 7.1); where the seed refuses them, their Endpoints
 * (SPEC 7.6). Never errors.
 */
export function serviceWatch(options: ServiceWatchOptions): SharedServiceWatch {
  const { client, clock, chance, config, history = new SeedHistory(), notice = () => undefined } = options;
  const names = new Set(config.services.map(({ name }) => name));
  const parts = { client, clock, chance, history, notice };
  const preferred = new ServiceSource(endpointSliceKind(names), parts);
  const substitute = new ServiceSource(endpointsKind(names), parts);
  const followed$ = grantedSource({ client, clock, notice, preferred, substitute });
  const dispatcher = new Dispatcher<ServiceKey, ServiceEvent>();
  const sets = new Subject<ReadonlySet<ServiceKey>>();
  const synced = new BehaviorSubject(false);
  const live = new BehaviorSubject(false);
  let source = preferred;

  const eventOf = (known: Slices | undefined, gap?: SliceGap): ServiceEvent => {
    const at = clock.now();
    if (known === undefined) return { type: 'service.gone', at };
    return { type: 'slices.changed', at, slices: known, ...(gap === undefined ? {} : { gap }) };
  };

  const start = () => {
    const running = followed$.subscribe(({ source: by, changes, gap }) => {
      source = by;
      for (const one of changes) dispatcher.dispatch(one.service, eventOf(one.slices, gap));
      // After its changes: what is held back meanwhile is withdrawn by them first.
      live.next(source.live);
      const isFirst = !synced.value;
      if (isFirst) synced.next(true);
      if (isFirst || changes.some((one) => one.isNew || one.slices === undefined)) sets.next(source.services);
    });
    running.add(() => {
      synced.next(false);
      live.next(false);
    });
    return running;
  };

  const shared = whileSubscribed(start);
  return {
    services$: shared((observer) => {
      if (synced.value) observer.next(source.services);
      return sets.subscribe(observer);
    }),
    events$: (service) =>
      shared((observer) => {
        const known = source.of(service);
        if (known !== undefined) observer.next(eventOf(known));
        return dispatcher.listen(service, observer);
      }),
    synced$: shared((observer) => synced.subscribe(observer)),
    live$: shared((observer) => live.pipe(distinctUntilChanged()).subscribe(observer)),
  };
}
