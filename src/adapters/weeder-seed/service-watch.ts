import { BehaviorSubject, distinctUntilChanged, Observable, Subject, Subscription } from 'rxjs';
import type { Millis } from '../../domain/time.ts';
import type { ServiceKey } from '../../domain/weeder/service-ref.ts';
import type { SliceGap, Slices } from '../../domain/weeder/service-slices.ts';
import type { WeederConfig } from '../../domain/weeder/weeder-config.ts';
import type { ServiceWatch } from '../../effects/ports.ts';
import type { ServiceEvent } from '../../machines/weeder-language.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { Dispatcher, whileSubscribed } from '../reflector/informer.ts';
import { SeedHistory } from '../reflector/seed-history.ts';
import type { StreamPorts } from '../reflector/stream-item.ts';
import {
  endpointSliceKind,
  endpointsKind,
  ServiceSource,
  type ServiceChange,
  type SourceNews,
} from './service-source.ts';

export type ServiceWatchOptions = StreamPorts & Readonly<{ config: Pick<WeederConfig, 'services'> }>;

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
  const { config, history = new SeedHistory(), ...ports } = options;
  const { clock } = ports;
  const names = new Set(config.services.map(({ name }) => name));
  const preferred = new ServiceSource(endpointSliceKind(names), { ...ports, history });
  const substitute = new ServiceSource(endpointsKind(names), { ...ports, history });
  const followed$ = grantedSource(ports, preferred, substitute);
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

/** What is different now, by the source that is followed; nothing where it came to follow the seed, or ceased to. */
type FollowedChange = Readonly<{
  source: ServiceSource;
  changes: readonly ServiceChange[];
  gap: SliceGap | undefined;
}>;

/** Roles change with a Gardener's upgrade, which mostly starts a new weeder, too. One request an hour costs nobody anything. */
const askAgainAfter: Millis = 3_600_000;

/**
 * Follows whichever source the seed grants (SPEC 7.6). A source that is refused goes on asking until the other one has its lists; so where
 * both are refused, as by a seed that is just starting, the first that is granted is followed. The first emission has every service.
 * `substitute` says the same as `preferred`, and is followed for as long as the seed refuses that one.
 */
function grantedSource(
  { client, clock, notice }: StreamPorts,
  preferred: ServiceSource,
  substitute: ServiceSource,
): Observable<FollowedChange> {
  return new Observable((observer) => {
    const open = new Map<ServiceSource, Subscription>();
    const ended = new AbortController();
    let followed: ServiceSource | undefined;
    let refusal = '';
    let asking = Subscription.EMPTY;

    const otherThan = (source: ServiceSource) => (source === preferred ? substitute : preferred);

    const start = (source: ServiceSource): void => {
      if (open.has(source)) return;
      if (source === preferred) asking.unsubscribe();
      const running = new Subscription();
      open.set(source, running);
      running.add(source.news$.subscribe((news) => take(source, news)));
    };

    const stop = (source: ServiceSource): void => {
      open.get(source)?.unsubscribe();
      if (open.delete(source) && source === preferred) askLater();
    };

    const follow = (source: ServiceSource): void => {
      const former = followed;
      followed = source;
      const since = former?.seenUntil;
      const services = new Set([...(former?.services ?? []), ...source.services]);
      const changes = [...services].map((service) => {
        return { service, slices: source.of(service), isNew: former?.of(service) === undefined };
      });
      stop(otherThan(source));
      const problem = source === substitute ? refusal : 'the seed grants them now';
      if (source === substitute || former !== undefined)
        notice?.({ kind: 'replaced', stream: otherThan(source).kind.stream, by: source.kind.stream, problem });
      observer.next({ source, changes, gap: since === undefined ? undefined : { since } });
    };

    function take(source: ServiceSource, news: SourceNews): void {
      switch (news.type) {
        case 'listed':
          return follow(source);
        case 'changed':
          // It has its lists, so it is the one that is followed: the other one ended with that.
          return observer.next({ source, changes: news.changes, gap: news.gap });
        case 'live':
          // It was refused for a while, and went on where it was.
          stop(otherThan(source));
          return tellTrust(source);
        case 'out':
          return tellTrust(source);
        case 'refused': {
          const other = otherThan(source);
          if (source === preferred) refusal = news.problem;
          tellTrust(source);
          if (other === followed && other.live) return stop(source);
          return start(other);
        }
      }
    }

    function tellTrust(source: ServiceSource): void {
      if (source === followed) observer.next({ source, changes: [], gap: undefined });
    }

    function askLater(): void {
      asking = clock.wakeAt(clock.now() + askAgainAfter).subscribe(() => void ask());
    }

    async function ask(): Promise<void> {
      const isGranted = await answers(client, preferred, ended.signal);
      if (ended.signal.aborted || open.has(preferred)) return;
      if (isGranted) start(preferred);
      else askLater();
    }

    start(preferred);
    return () => {
      ended.abort();
      for (const running of open.values()) running.unsubscribe();
      asking.unsubscribe();
    };
  });
}

/** Whether a list of one object is granted: less than a stream, which would be told and counted as one that failed. */
async function answers(client: KubeClient, { kind }: ServiceSource, signal: AbortSignal): Promise<boolean> {
  try {
    await client.request({ method: 'GET', path: kind.path, query: { ...kind.queries[0]?.query, limit: '1' }, signal });
    return true;
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return false;
  }
}
