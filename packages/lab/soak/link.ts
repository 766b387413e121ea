import type { Chance } from 'dependency-watchdog/effects/ports.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { answered, type Fate, type FateEnd, type StruckFault, type WatchFate } from '@dwd/simulator/memory/fate.ts';
import type { MemoryApiServer, MemoryRequest } from '@dwd/simulator/memory/memory-api-server.ts';
import { drawsFrom, type Draws } from './chance-of.ts';
import { fairWeather, type LinkWeather } from './seed-plan.ts';

/** Slow by so much, in ms. */
const slowness = [1_000, 12_000] as const;

/** A request for one object of a kind that is read by two, or for its scale. */
const readByTwo = /\/widgets\/[^/?]+(\/scale)?$/;

/** Of the two requests that read such a kind, the one that fails, and how. The other one is never answered. */
export type SplitReads = Readonly<{ fails: 'object' | 'scale'; as: 'refused' | 'status' }>;

/** Whether requests on this way leave the machine, and are not turned away. */
export function isOpen({ out, lacksDescriptors }: Pick<Link, 'out' | 'lacksDescriptors'>): boolean {
  return out === undefined && !lacksDescriptors;
}

/** The way from one process to the seed, or to all shoots: draws what becomes of each request, and can be out as a whole. */
export class Link {
  weather: LinkWeather;
  /** Where it is out: connections are refused, or packets vanish. */
  out: 'refused' | 'silent' | undefined;
  /** What stands on this way closes each watch at once. */
  dropsWatches = false;
  /** The machine has no descriptor left for most connections that this process opens. */
  lacksDescriptors = false;
  /** All takes so much longer. */
  slow: Millis = 0;
  /** What a watch on Clusters brings comes so much later, bookmarks too. */
  clustersLate: Millis = 0;
  /** Answers with nodes take so much longer. */
  nodesLate: Millis = 0;
  /** What is read by two requests at once fails so, and is not read. */
  splits: SplitReads | undefined;
  /** Of several servers the one that takes all requests while it is up. Calm does not end it: it is no fault. */
  leadsTo: MemoryApiServer | undefined;
  readonly #draws: Draws;
  /** Told of each fault that truly strikes on this way, or behind it. */
  readonly struck: (fault: StruckFault, shoot: ShootNamespace | undefined) => void;

  constructor(weather: LinkWeather, chance: Chance, struck: Link['struck']) {
    this.weather = weather;
    this.#draws = drawsFrom(chance);
    this.struck = struck;
  }

  /** Calm from now on. */
  clear(): void {
    this.weather = fairWeather;
    this.out = undefined;
    this.dropsWatches = false;
    this.lacksDescriptors = false;
    this.slow = 0;
    this.clustersLate = 0;
    this.nodesLate = 0;
    this.splits = undefined;
  }

  /** Which of the servers behind an address takes the next request: any, as long as it is up. */
  oneOf(servers: readonly MemoryApiServer[]): MemoryApiServer | undefined {
    if (servers.length < 2) return servers[0];
    if (this.leadsTo?.isUp === true && servers.includes(this.leadsTo)) return this.leadsTo;
    const up = servers.filter(({ isUp }) => isUp);
    return this.#draws.oneOf(up.length === 0 ? servers : up);
  }

  fate({ method, url }: Pick<MemoryRequest, 'method' | 'url'>): Fate {
    const { between, strikes } = this.#draws;
    const { there, slow } = this.weather;
    const one = (): Millis => between(...there) + this.slow;
    const times = { connect: 0, there: one(), back: one() + (/\/nodes[/?]/.test(url) ? this.nodesLate : 0) };
    if (this.out === 'refused') return { ...times, end: { kind: 'refused' } };
    if (this.out === 'silent') return { ...times, end: { kind: 'lost', reset: false } };
    if (this.lacksDescriptors && strikes(0.7)) return { ...times, end: { kind: 'refused', code: 'EMFILE' } };
    const split = this.splits !== undefined && method === 'GET' ? splitEnd(this.splits, url) : undefined;
    if (split !== undefined) return { ...times, end: split };
    const end = this.#end();
    if (!strikes(slow)) return { ...times, end };
    const late = between(...slowness);
    return { ...times, ...(strikes(0.5) ? { there: late } : { back: late }), isSlow: true, end };
  }

  watchFate({ url }: Pick<MemoryRequest, 'url'>): WatchFate {
    const { watchLag, watchSilent, watchCut, withoutBookmarks } = this.weather;
    const { between, strikes } = this.#draws;
    const isSilent = strikes(watchSilent);
    const isCut = strikes(watchCut);
    return {
      lag: () => between(...watchLag) + this.slow + (/\/clusters\?/.test(url) ? this.clustersLate : 0),
      ...(isSilent && { silentAfter: between(0, 240_000) }),
      ...(isCut && { cutAfter: between(0, 240_000) }),
      ...(this.dropsWatches && { cutAfter: 20 }),
      withoutBookmarks: strikes(withoutBookmarks),
    };
  }

  #end(): FateEnd {
    const { refused, lost, unanswered, doubled, status, garbled, truncated } = this.weather;
    const { chance, between, strikes } = this.#draws;
    const draw = chance();
    const reset = strikes(0.5);
    let below = 0;
    const falls = (rate: number): boolean => draw < (below += rate);
    if (falls(refused)) return { kind: 'refused' };
    if (falls(lost)) return { kind: 'lost', reset };
    if (falls(unanswered)) return { kind: 'unanswered', reset };
    if (falls(doubled)) return { kind: 'doubled', after: between(0, 5_000) };
    if (falls(status)) return this.#status();
    if (falls(garbled)) return { kind: 'garbled' };
    if (falls(truncated)) return { kind: 'truncated' };
    return answered;
  }

  #status(): FateEnd {
    const { between, oneOf, strikes } = this.#draws;
    const code = oneOf([409, 429, 429, 500, 503, 504]);
    return code === 429 && strikes(0.7)
      ? { kind: 'status', code, retryAfterSeconds: between(1, 5) }
      : { kind: 'status', code };
  }
}

/** Undefined for every other request. */
function splitEnd({ fails, as }: SplitReads, url: string): FateEnd | undefined {
  const read = readByTwo.exec(url);
  if (read === null) return undefined;
  const asked = read[1] === undefined ? 'object' : 'scale';
  if (asked !== fails) return { kind: 'lost', reset: false };
  return as === 'refused' ? { kind: 'refused' } : { kind: 'status', code: 500 };
}
