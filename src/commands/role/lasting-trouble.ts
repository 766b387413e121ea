import type { Log, LogFields } from '../../adapters/record/log/log.ts';
import { seconds } from '../../adapters/words/plain-words.ts';
import type { Instant, Millis } from '../../domain/time.ts';

/** What lasts is told again. */
const repeatEvery: Millis = 60_000;

type Trouble = Readonly<{ what: string; since: Instant; toldAt: Instant }>;

/**
 * Tells of something that is tried again and again, and fails: at once, then once a minute with the latest reason, and when it ends. What
 * is told is written as `cannot WHAT: reason`, and `can WHAT now`. `line` is the kind of these lines, for searches.
 */
export function lastingTrouble(
  log: Log,
  clock: Readonly<{ now(): Instant }>,
  fields: LogFields & Readonly<{ line: string }>,
) {
  let trouble: Trouble | undefined;
  return {
    fails(what: string, reason: string): void {
      const now = clock.now();
      const since = trouble?.since ?? now;
      if (trouble !== undefined && now - trouble.toldAt < repeatEvery) return;
      const lasts = trouble === undefined ? '' : `, for ${seconds(now - since)}`;
      log.error(`${trouble === undefined ? 'cannot' : 'still cannot'} ${what}${lasts}: ${reason}`, fields);
      trouble = { what, since, toldAt: now };
    },
    works(): void {
      if (trouble === undefined) return;
      log.info(`can ${trouble.what} now, after ${seconds(clock.now() - trouble.since)}`, fields);
      trouble = undefined;
    },
  };
}
