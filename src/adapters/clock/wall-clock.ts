import process from 'node:process';
import { Observable } from 'rxjs';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';

/** Beyond this a Node timer fires at once instead of late. */
const longestTimer: Millis = 2 ** 31 - 1;

/**
 * A Clock told by `now`, which runs `speed` times as fast as Node's timers.
 * Node may fire a timer up to a millisecond early, and the wall clock may be set back: so each wake looks again
 * before it emits, and goes back to sleep while it is too early.
 */
function wallClock(now: () => Instant, speed: number): Clock {
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

/** The machine's own time, as leases and certificates are written in it. */
export const systemClock: Clock = wallClock(() => Date.now(), 1);

/**
 * Starts at the machine's time and runs `speed` times as fast (above 0), so that nothing that lives by it needs
 * to know. Told by the monotonic clock: at a speed of 60, a wall clock's millisecond would be a coarse 60 ms.
 */
export function scaledClock(speed: number): Clock {
  if (!(speed > 0)) throw new RangeError(`a clock runs at a speed above 0, not ${speed}`);
  const startedAt = Date.now();
  const startedTicks = performance.now();
  return wallClock(() => startedAt + (performance.now() - startedTicks) * speed, speed);
}

/** CPU time that the calling thread has used since it began; costs a microsecond. */
export function cpuTime(): Millis {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
