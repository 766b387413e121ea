import { Observable, Subscription } from 'rxjs';
import type { Millis } from '../../domain/time.ts';
import type { SliceGap } from '../../domain/weeder/service-slices.ts';
import type { Clock } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import type { StreamNotice } from '../reflector/stream-item.ts';
import type { ServiceSource, SourceNews } from './service-source.ts';
import type { ServiceChange } from './service-slices.ts';

export type GrantedSourceOptions = Readonly<{
  client: KubeClient;
  clock: Clock;
  preferred: ServiceSource;
  /** Says the same, and is followed for as long as the seed refuses the preferred one. */
  substitute: ServiceSource;
  notice: (notice: StreamNotice) => void;
}>;

/** What is different now, by the source that is followed; nothing where it came to follow the seed, or ceased to. */
export type FollowedChange = Readonly<{
  source: ServiceSource;
  changes: readonly ServiceChange[];
  gap: SliceGap | undefined;
}>;

/** Roles change with a Gardener's upgrade, which mostly starts a new weeder, too. One request an hour costs nobody anything. */
const askAgainAfter: Millis = 3_600_000;

/**
 * Follows whichever source the seed grants (SPEC 7.6). A source that is refused goes on asking until the other one has its lists; so where
 * both are refused, as by a seed that is just starting, the first that is granted is followed. The first emission has every service.
 */
export function grantedSource(options: GrantedSourceOptions): Observable<FollowedChange> {
  const { client, clock, preferred, substitute, notice } = options;
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
        notice({ kind: 'replaced', stream: otherThan(source).kind.stream, by: source.kind.stream, problem });
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
