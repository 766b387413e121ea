import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { mostKept } from '../reading/shoot-limits.ts';
import { errorCode } from '../words/errno-words.ts';
import { boundedCache } from './shoot-access.ts';

/** The code of a look-up that was not begun, because too many others have not ended. */
export const lookupsHang = 'LOOKUPS_HANG';

/** Codes of look-ups that failed since the resolver gave no answer. */
export const unansweredLookups: readonly string[] = ['EAI_AGAIN', 'EAI_FAIL', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED'];

export type LookupLimits = Readonly<{
  /** Names that are looked up at once, */
  most: number;
  /** and of them those that failed last time, or took longer than `slow`. */
  mostSlow: number;
}>;

type Found = Parameters<LookupFunction>[2];
type Answer = Parameters<Found>;

/** What a look-up tells at last. `isElsewhere`: another place than the one that was recalled. */
export type LateAnswer = Readonly<{ answer: Answer; isElsewhere: boolean }>;

/**
 * A look-up that calls `found` once, as Node's does. Given `recalled`, it may find what it found last time. Then `recalled` is called before that, with what the
 * look-up itself will tell.
 */
export type RecallingLookup = (
  name: string,
  options: Parameters<LookupFunction>[1],
  found: Found,
  recalled?: (told: Promise<LateAnswer>) => void,
) => void;

/** An honest name server answers within milliseconds. A lost packet may cost more, and does no harm here. */
const slow: Millis = 1_000;

/** A decision may come later by this much. A packet to the name server that was lost costs a second at least. */
const recallAfter: Millis = 250;

/**
 * Looks a name up once for all callers that ask while the answer is under way. The system's resolver
 * cannot be cancelled. Without this, each probe during an outage of DNS would leave one more look-up in the queue of its few
 * threads, and no shoot's name would be resolved for long after DNS is back.
 *
 * While a look-up is slow, or where the resolver gives no answer, whoever can recall goes by the addresses that the name had last: the certificate
 * proves who stands there (SPEC 4.7). Nothing else is cached.
 *
 * Beyond the limits a look-up fails at once with `lookupsHang`: names that nobody resolves must not take every thread (SPEC 4.7).
 */
export function joinedLookup(
  clock: Clock,
  lookup: LookupFunction = systemLookup,
  limits?: LookupLimits,
): RecallingLookup {
  const waiting = new Map<string, ((...answer: Answer) => void)[]>();
  const slowNames = new Set<string>();
  const known = boundedCache<Answer>(mostKept);

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

  const ask = (key: string, name: string, options: Parameters<LookupFunction>[1], told: Found): void => {
    const others = waiting.get(key);
    if (others !== undefined) {
      others.push(told);
      return;
    }
    if (isFull(key)) {
      told(Object.assign(new Error('too many look-ups are under way'), { code: lookupsHang }), '', 0);
      return;
    }
    const asking = [told];
    waiting.set(key, asking);
    const begunAt = clock.now();
    lookup(name, options, (...answer) => {
      waiting.delete(key);
      if (answer[0] === null) known.set(key, answer);
      if (limits !== undefined) remember(key, answer[0] !== null || clock.now() - begunAt > slow);
      for (const each of asking) each(...answer);
    });
  };

  return (name, options, found, recalled) => {
    const key = `${name} ${JSON.stringify(options)}`;
    const last = recalled && known.get(key);
    if (recalled === undefined || last === undefined) {
      ask(key, name, options, found);
      return;
    }
    const { promise: told, resolve: tell } = Promise.withResolvers<LateAnswer>();
    let isFound = false;
    const find = (answer: Answer): void => {
      isFound = true;
      found(...answer);
    };
    const recall = (): void => {
      recalled(told);
      find(last);
    };
    const late = clock.wakeAt(clock.now() + recallAfter).subscribe(recall);
    ask(key, name, options, (...answer) => {
      late.unsubscribe();
      const isUntold = answer[0] !== null && isOut(answer[0]);
      if (!isFound && isUntold) recall();
      else if (!isFound) find(answer);
      tell({ answer, isElsewhere: !isUntold && !isDeepStrictEqual(addressesIn(answer), addressesIn(last)) });
    });
  };
}

function isOut(error: Error): boolean {
  const code = errorCode(error) ?? '';
  return code === lookupsHang || unansweredLookups.includes(code);
}

/** In whatever order the name server gave them this time. */
function addressesIn([error, found]: Answer): readonly string[] | undefined {
  if (error !== null) return undefined;
  return [found]
    .flat()
    .map((one: LookupAddress | string) => (typeof one === 'string' ? one : one.address))
    .toSorted();
}
