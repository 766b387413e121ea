import { EMPTY, filter, merge, Observable, Subscription } from 'rxjs';
import { isOlder } from '../../domain/resource-version.ts';
import type { Millis } from '../../domain/time.ts';
import { sleepUntil } from '../clock/deadline.ts';
import type { LaneName } from '../kube/kube-client.ts';
import { objectStore, type ObjectStoreOptions } from './object-store.ts';
import { SeedHistory, isSeedBehind } from './seed-history.ts';
import type { StreamItem, StreamNotice, StreamPorts } from './stream-item.ts';
import { hasLasted, stepStream, streamStart, type StreamFact, type StreamState } from './stream-state.ts';
import {
  garbled,
  problemOf,
  readListPage,
  readWatchLine,
  streamFailure,
  troubleOfStatus,
  wentBack,
} from './wire-format.ts';

export type ReflectorOptions<Value> = Omit<ObjectStoreOptions<Value>, 'notice'> &
  StreamPorts &
  Readonly<{
    /** `/apis/apps/v1/deployments`. */
    path: string;
    /** Selectors, sent with each page and each watch. */
    query?: Readonly<Record<string, string>>;
    /** Objects in one page. It is read item by item, so a long one costs time and not memory. */
    pageSize: number;
    /** As of ListReader: what of a listed object is read. Absent: all. */
    keeps?: ReadonlySet<string>;
    deep?: boolean;
    /** Which of the many streams with this name it is; goes with each notice. */
    of?: string;
    /** Of its lists and watches. */
    lane?: LaneName;
    /** Emits when the watch should have shown something by now. The watch is then opened anew, unless it is young. */
    doubts$?: Observable<void>;
    /** Emits when the watch is known to have missed something: a list comes next. */
    missed$?: Observable<void>;
  }>;

/** Of one page. A busy seed may take long for a list, and only the start waits for it. */
const pageTimeout: Millis = 30_000;

/** Of an urgent page. Somebody waits for it, and others wait for its place among the requests in flight. */
const urgentPageTimeout: Millis = 10_000;

// After this time without an answer the stream is out. Otherwise a server that accepts a request and then says nothing, or a long
// queue before the rate limit, would leave the stream blind and yet live. The request itself goes on: a new one would queue anew.
const patience: Millis = 5_000;

// The API server sends a bookmark about once a minute, so a watch that is quiet for longer is broken.
const inactivity: Millis = 90_000;
const watchQuery = { watch: 'true', allowWatchBookmarks: 'true' };

/** A watch shows a change within this time; under load it takes a second. A watch that was opened more recently is not cut for being late. */
export const longestLag: Millis = 3_000;

// We ask the server to end a watch after 5 to 10 minutes, by chance, as client-go does. Otherwise all watches would end together. The server counts by its own clock.
const watchSeconds = { least: 300, spread: 300, clocksApart: 1 };

/**
 * Follows one kind of objects for as long as it is subscribed: first a list of the present state, page by page, then watches with
 * bookmarks. Unsubscribing cuts the request that is under way. Never errors and never completes. Only one may subscribe at a
 * time, since there is one store.
 */
export function reflector<Value>(options: ReflectorOptions<Value>): Observable<StreamItem<Value>> {
  return new Observable((items) => {
    const { client, clock, chance, path, pageSize, keeps, deep, stream, of, lane = 'normal' } = options;
    const { history = new SeedHistory(), missed$ = EMPTY } = options;
    const notice = (one: StreamNotice) => options.notice?.(of === undefined ? one : { ...one, of });
    const store = objectStore({ ...options, notice });
    let state: StreamState = streamStart;
    let cut = new AbortController();
    let late = Subscription.EMPTY;
    /** `history.timesBack` as of the last list; undefined before the first one. */
    let timesBack: number | undefined;
    /** When the last watch comes to its end by itself. */
    let endsAt = 0;
    /** The request under way is of no use any more, and its result must be ignored. */
    let isVoid = false;

    const record = (fact: StreamFact) => {
      if (items.closed) return;
      const before = state;
      state = stepStream(state, fact, chance());
      if (fact.type === 'ended' && hasLasted(before, fact.at)) notice({ kind: 'renewed', stream });
      else if (fact.type === 'ended' || fact.type === 'failed')
        notice({ kind: 'restarted', stream, why: fact.type === 'ended' ? 'ended' : fact.why, ...problemOf(fact) });
      if (state.trust !== before.trust) emitTrust(fact);
    };

    const emitTrust = (fact: StreamFact) => {
      if (state.trust === 'live') {
        notice({ kind: 'live', stream });
        items.next({ type: 'live' });
        return;
      }
      const out = { refused: state.trust === 'refused', ...problemOf(fact) };
      notice({ kind: 'out', stream, ...out });
      items.next({ type: 'out', refused: out.refused, problem: out.problem });
    };

    const listPage = async (page: string, whole: boolean): Promise<StreamFact> => {
      if (page === '') store.beginList();
      const limit = whole ? {} : { limit: String(pageSize) };
      const query = { ...options.query, ...limit, ...(page === '' ? {} : { continue: page }) };
      const { signal } = cut;
      const pieces = client.pieces({
        method: 'GET',
        path,
        query,
        lane,
        // Before watches: a list shows what is to be done now, and a watch what may come.
        by: clock.now(),
        timeout: lane === 'urgent' ? urgentPageTimeout : pageTimeout,
        signal,
      });
      const { next, resourceVersion } = await readListPage(pieces, { keeps, deep, take: store.addItem });
      const at = clock.now();
      if (items.closed || isVoid) return { type: 'ended', at };
      if (next === '') emitList(resourceVersion);
      return { type: 'listed', at, page: next, resourceVersion };
    };

    const emitList = (resourceVersion: string) => {
      const listed = store.endList(resourceVersion);
      const isOld = timesBack !== undefined && timesBack < history.timesBack;
      const isNews = listed.rewound && !isOld;
      timesBack = history.timesBack + (isNews ? 1 : 0);
      // Before anybody acts on this item: what the other streams hold is void.
      if (isNews) history.goBack();
      items.next({ ...listed, rewound: listed.rewound || isOld });
    };

    /** A watch from a version that a restored seed has not reached is told nothing until then, and goes on as if nothing had been undone. */
    const mindRestore = async (resourceVersion: string, signal: AbortSignal): Promise<void> => {
      history.suspect();
      if (await isSeedBehind(resourceVersion, { ...options, lane, timeout: pageTimeout }, signal)) history.goBack();
    };

    const watch = async (resourceVersion: string): Promise<StreamFact> => {
      const seconds = watchSeconds.least + Math.floor(chance() * watchSeconds.spread);
      const query = { ...options.query, ...watchQuery, resourceVersion, timeoutSeconds: String(seconds) };
      const { signal } = cut;
      let wasCut = state.doing === 'watching' && !state.fresh && clock.now() < endsAt;
      endsAt = clock.now() + (seconds - watchSeconds.clocksApart) * 1_000;
      const opened = () => {
        late.unsubscribe();
        record({ type: 'opened', at: clock.now() });
        if (wasCut) void mindRestore(resourceVersion, signal);
        wasCut = false;
      };
      for await (const line of client.lines({ method: 'GET', path, query, lane, inactivity, signal, opened })) {
        if (items.closed || isVoid) break;
        if (state.doing === 'watching' && state.openedAt === undefined) opened();
        const failed = applyLine(line);
        if (failed !== undefined) return failed;
      }
      return { type: 'ended', at: clock.now() };
    };

    /**
     * A watch from a version that a restored seed has not reached stays open and shows no object. Its bookmarks, which keep it alive, show
     * where the seed is.
     */
    const goesBack = (resourceVersion: string): boolean =>
      state.doing === 'watching' && isOlder(resourceVersion, state.resourceVersion);

    /** Returns why the watch cannot go on; undefined where it can. */
    const applyLine = (raw: unknown): StreamFact | undefined => {
      const line = readWatchLine(raw);
      const at = clock.now();
      switch (line.type) {
        case 'applied':
        case 'deleted': {
          if (goesBack(line.identity.resourceVersion)) return wentBack(at);
          record({ type: 'advanced', at, resourceVersion: line.identity.resourceVersion });
          const item = store.apply(line);
          if (item !== undefined) items.next(item);
          return undefined;
        }
        case 'bookmark':
          if (goesBack(line.resourceVersion)) return wentBack(at);
          record({ type: 'advanced', at, resourceVersion: line.resourceVersion });
          store.advance(line.resourceVersion);
          items.next({ type: 'advanced', resourceVersion: line.resourceVersion });
          return undefined;
        case 'error': {
          const { code, problem, retryAfter } = line;
          return { type: 'failed', at, why: troubleOfStatus(code), problem, reason: problem, retryAfter };
        }
        case 'bad':
          notice({ kind: 'badLine', stream, problem: line.problem });
          return garbled(at, line.problem);
      }
    };

    const act = async (): Promise<StreamFact> => {
      switch (state.doing) {
        case 'listing':
          return listPage(state.page, state.whole);
        case 'watching':
          return watch(state.resourceVersion);
        case 'resting':
          await sleepUntil(clock, state.until, cut.signal);
          return { type: 'rested', at: clock.now() };
      }
    };

    const run = async () => {
      while (!items.closed) {
        cut = new AbortController();
        isVoid = false;
        late = clock.wakeAt(clock.now() + patience).subscribe(() => record({ type: 'late', at: clock.now() }));
        const fact = await act().catch((error: unknown) => streamFailure(error, clock.now()));
        cut.abort();
        late.unsubscribe();
        if (!isVoid) record(fact);
      }
    };

    // Over a half-open connection a watch says nothing until `inactivity` is over. Over a new connection it goes on at once.
    const doubting = options.doubts$?.subscribe(() => {
      if (state.doing === 'watching' && state.openedAt !== undefined && clock.now() - state.openedAt >= longestLag)
        cut.abort();
    });

    const listAgain = (): void => {
      isVoid = state.doing !== 'resting';
      record({ type: 'rewound', at: clock.now() });
      if (isVoid) cut.abort();
    };
    const wentBack$ = history.wentBack$.pipe(filter(() => timesBack !== history.timesBack));
    const rewinding = merge(wentBack$, history.doubted$, missed$).subscribe(listAgain);

    notice({ kind: 'opening', stream });
    void run();
    return () => {
      notice({ kind: 'closed', stream });
      doubting?.unsubscribe();
      rewinding.unsubscribe();
      cut.abort();
      late.unsubscribe();
    };
  });
}
