import { Observable } from 'rxjs';
import type { Instant, Millis } from '../domain/time.ts';
import type { Clock } from '../effects/ports.ts';

/** Beyond this a Node timer fires at once instead of late. */
const longestTimer: Millis = 2 ** 31 - 1;

/**
 * A Clock told by `now`, which runs `speed` times as fast as Node's timers.
 * Node may fire a timer up to a millisecond early, and the wall clock may be set back: so each wake looks again
 * before it emits, and goes back to sleep while it is too early.
 */
export function wallClock(now: () => Instant, speed: number): Clock {
  return {
    now,
    wakeAt: (at) =>
      new Observable((observer) => {
        let timer: NodeJS.Timeout;
        const sleep = (): void => {
          const delay = Math.max(0, Math.ceil((at - now()) / speed));
          timer = setTimeout(wake, Math.min(delay, longestTimer));
        };
        const wake = (): void => {
          const woke = now();
          if (woke < at) {
            sleep();
            return;
          }
          observer.next(woke);
          observer.complete();
        };
        sleep();
        return () => clearTimeout(timer);
      }),
  };
}
