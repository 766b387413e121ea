import type { Log } from '../../adapters/record/log/log.ts';
import type { SlowdownHooks } from '../../adapters/seed-client/rate.ts';
import { seconds } from '../../adapters/words/plain-words.ts';
import type { Instant } from '../../domain/time.ts';

/** Counts each halving of the rate of scale-ups (SPEC 6.12), and tells once that they are slowed, and once that they no longer are. */
export function scaleUpsSlowed(log: Log, clock: Readonly<{ now(): Instant }>, count: () => void): SlowdownHooks {
  let since: Instant | undefined;
  return {
    onSlowed({ share, pause }) {
      count();
      if (since !== undefined) return;
      since = clock.now();
      const rate = `${Math.round(share * 100)} % of their rate`;
      log.warn(`the seed answers 429: scale-ups wait ${seconds(pause)}, then go at ${rate}`, {
        line: 'scale-ups slowed',
        pauseMs: pause,
        share,
      });
    },
    onWhole() {
      if (since === undefined) return;
      log.info(`scale-ups go at their full rate again, after ${seconds(clock.now() - since)}`, {
        line: 'scale-ups no longer slowed',
        tookMs: clock.now() - since,
      });
      since = undefined;
    },
  };
}
