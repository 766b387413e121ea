import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { mostKept } from '../reading/shoot-limits.ts';

/** The code of a look-up that was not begun, because too many others have not ended. */
export const lookupsHang = 'LOOKUPS_HANG';

export type LookupLimits = Readonly<{
  /** Names that are looked up at once, */
  most: number;
  /** and of them those that failed last time, or took longer than `slow`. */
  mostSlow: number;
  clock: Clock;
}>;

type Found = Parameters<LookupFunction>[2];

/** An honest name server answers within milliseconds. A lost packet may cost more, and does no harm here. */
const slow: Millis = 1_000;

/**
 * Looks a name up once for all callers that ask while the answer is under way. Nothing is cached beyond that. The system's resolver
 * cannot be cancelled. Without this, each probe during an outage of DNS would leave one more look-up in the queue of its few
 * threads, and no shoot's name would be resolved for long after DNS is back.
 *
 * Beyond the limits a look-up fails at once with `lookupsHang`: names that nobody resolves must not take every thread (SPEC 4.7).
 */
export function joinedLookup(lookup: LookupFunction = systemLookup, limits?: LookupLimits): LookupFunction {
  const waiting = new Map<string, Found[]>();
  const slowNames = new Set<string>();

  const isFull = (key: string): boolean => {
    if (limits === undefined) return false;
    const slowOnes = [...waiting.keys()].filter((name) => slowNames.has(name)).length;
    return waiting.size >= limits.most || (slowNames.has(key) && slowOnes >= limits.mostSlow);
  };

  const remember = (key: string, isSlow: boolean): void => {
    if (slowNames.size >= mostKept) slowNames.clear();
    if (isSlow) slowNames.add(key);
    else slowNames.delete(key);
  };

  return (name, options, found) => {
    const key = `${name} ${JSON.stringify(options)}`;
    const others = waiting.get(key);
    if (others !== undefined) {
      others.push(found);
      return;
    }
    if (isFull(key)) {
      found(Object.assign(new Error('too many look-ups are under way'), { code: lookupsHang }), '', 0);
      return;
    }
    const asking = [found];
    waiting.set(key, asking);
    const begunAt = limits?.clock.now() ?? 0;
    lookup(name, options, (...answer) => {
      waiting.delete(key);
      if (limits !== undefined) remember(key, answer[0] !== null || limits.clock.now() - begunAt > slow);
      for (const each of asking) each(...answer);
    });
  };
}
