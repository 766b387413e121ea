import {
  concat,
  defer,
  filter,
  ignoreElements,
  merge,
  Subject,
  switchMap,
  takeUntil,
  tap,
  type Observable,
} from 'rxjs';
import { isOlder } from '../../domain/resource-version.ts';
import type { Millis } from '../../domain/time.ts';
import { textAt } from '../../domain/value-at.ts';
import type { Clock } from '../../effects/ports.ts';
import { sleepUntil } from '../clock/deadline.ts';
import type { KubeClient, LaneName } from '../kube/kube-client.ts';

/**
 * How often the seed's history went back, as after a restored backup (SPEC 6.6). All streams of a seed share one of these: the
 * versions of all objects come from one counter, so what one stream finds out is true for all of them.
 */
export class SeedHistory {
  readonly #wentBack = new Subject<void>();
  readonly #doubted = new Subject<void>();
  readonly #suspected = new Subject<void>();
  /** Everybody who holds state of the former history has to read it again. */
  readonly wentBack$: Observable<void> = this.#wentBack.asObservable();
  /** Everybody lists again, and what is held stays until a list shows something else. */
  readonly doubted$: Observable<void> = this.#doubted.asObservable();
  /** A watch ended before its time: an API server may have been started afresh, as it is after a restore. */
  readonly suspected$: Observable<void> = this.#suspected.asObservable();
  #timesBack = 0;

  get timesBack(): number {
    return this.#timesBack;
  }

  goBack(): void {
    this.#timesBack += 1;
    this.#wentBack.next();
  }

  doubt(): void {
    this.#doubted.next();
  }

  suspect(): void {
    this.#suspected.next();
  }
}

/** After the begin of a process, after an occasion, or after a restore that was noticed; and after the list before. */
const laterLists: readonly Millis[] = [60_000, 240_000];

/**
 * While it is subscribed to, all is listed again later, after the subscription and after each restore: a server that missed a restore may have answered
 * some of the lists, and may have told new watches of the lost history. Nothing shows that afterwards, once the seed's counter has overtaken it, and to a
 * process that began meanwhile nothing ever does (SPEC 6.6). By the last list somebody has started that server afresh.
 *
 * `occasions$` tells when such a server may have told us something that nothing will show. With an election: as this process takes the lead. Its Lease shows
 * each restore while somebody renews it; who could not read the seed in a restore, while nobody led, sees nothing of it. Without one: as a watch is cut.
 */
export function listedLater(history: SeedHistory, clock: Clock, occasions$: Observable<unknown>): Observable<never> {
  let isOurs = false;
  const goBackAgain = (): void => {
    isOurs = true;
    history.goBack();
    isOurs = false;
  };
  const later = (): Observable<number> =>
    concat(...laterLists.map((pause) => defer(() => clock.wakeAt(clock.now() + pause))));
  const restored$ = history.wentBack$.pipe(filter(() => !isOurs));
  const unlessRestored$ = defer(later).pipe(takeUntil(restored$));
  return merge(
    restored$.pipe(switchMap(later), tap(goBackAgain)),
    merge(unlessRestored$, occasions$.pipe(switchMap(() => unlessRestored$))).pipe(tap(() => history.doubt())),
  ).pipe(ignoreElements());
}

/**
 * Versions of objects that the seed has shown in its answers to our writes and GETs, until the stream shows them too. If a list that
 * was asked for later shows an older version, the seed's history went back (SPEC 6.6). One entry for each object.
 */
export class ClaimedVersions {
  readonly #claims = new Map<string, string>();

  claim(key: string, version: string): void {
    if (!isOlder(version, this.#claims.get(key))) this.#claims.set(key, version);
  }

  /** The stream has shown this version. */
  settle(key: string, version: string): void {
    if (!isOlder(version, this.#claims.get(key))) this.#claims.delete(key);
  }

  /** The present claims. A list that is asked for from here on has to reach them. */
  standing(): ReadonlyMap<string, string> {
    return new Map(this.#claims);
  }

  /** A list has reached these claims. Those that were made since remain. */
  answer(claims: ReadonlyMap<string, string>): void {
    for (const [key, version] of claims) if (this.#claims.get(key) === version) this.#claims.delete(key);
  }

  clear(): void {
    this.#claims.clear();
  }
}

/** After a question that was not answered. */
const pause: Millis = 5_000;

type Asking = Readonly<{
  client: KubeClient;
  clock: Clock;
  path: string;
  query?: Readonly<Record<string, string>>;
  lane: LaneName;
  timeout: Millis;
}>;

/**
 * Whether the seed's newest version is older than one that it has shown: it was restored from a backup (SPEC 6.6). A list of a single object
 * tells. It is asked for until it is answered; false once the signal is aborted. Never fails.
 */
export async function isSeedBehind(
  resourceVersion: string,
  { client, clock, path, query, lane, timeout }: Asking,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    const begun = clock.now();
    const body = await client
      .request({ method: 'GET', path, query: { ...query, limit: '1' }, lane, timeout, signal })
      .catch(() => undefined);
    if (signal.aborted) return false;
    const seen = textAt(body, 'metadata', 'resourceVersion');
    if (seen !== '') return isOlder(seen, resourceVersion);
    await sleepUntil(clock, begun + pause, signal);
  }
  return false;
}
