import { Observable, defer, filter, map, repeat } from 'rxjs';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { longestTimer } from './plain-clock.ts';

/**
 * A Clock that reads its time from `now` and runs `speed` times as fast as Node's timers. Node may fire a timer up to a millisecond
 * early, and the wall clock may be set back. So each timer compares the time again before it emits, and sleeps on where it is too
 * early.
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

/** The machine's own time. Leases and certificates are written in it. */
export const systemClock: Clock = wallClock(() => Date.now(), 1);

/**
 * Starts at the machine's time and runs `speed` times as fast (above 0). The parts that use it need not know. It is based on the
 * monotonic clock, which is finer: at a speed of 60, a millisecond of the wall clock would be a step of 60 ms.
 */
export function scaledClock(speed: number): Clock {
  if (!(speed > 0)) throw new RangeError(`a clock runs at a speed above 0, not ${speed}`);
  const startedAt = Date.now();
  const startedTicks = performance.now();
  return wallClock(() => startedAt + (performance.now() - startedTicks) * speed, speed);
}

/**
 * Calls back in the timers' phase of the event loop that follows its next check phase, before anything new is read. In the check phase undici
 * writes to connections that have rested, so all that was begun by now has been written.
 */
export function afterCheckPhase(work: () => void): void {
  setImmediate(() => setTimeout(work, 0));
}

/** What two clocks may drift apart by from one look to the next. */
const drift: Millis = 1_000;

/** Returns a function that tells how often the wall clock was set so far, forward or back (SPEC 5.1). */
export function clockSettings(wall: Pick<Clock, 'now'>, steady: Pick<Clock, 'now'>): () => number {
  let ahead = wall.now() - steady.now();
  let times = 0;
  return () => {
    const before = ahead;
    ahead = wall.now() - steady.now();
    if (Math.abs(ahead - before) > drift) times += 1;
    return times;
  };
}

/** A step back is seen within this time. */
const lookEvery: Millis = 1_000;

/** A wake that is late by this much does no harm: kubelets renew every 10 s. */
const tolerated: Millis = 5_000;

/**
 * Emits by how much the wall clock was set back, each time that this happens (SPEC 1.4). `steady` is a clock that is never set. Every
 * wake and deadline is an instant of the wall clock, since leases are written in it. After a step back by an hour, all
 * of them would come an hour late.
 */
export function clockSetBack(wall: Pick<Clock, 'now'>, steady: Clock): Observable<Millis> {
  return defer(() => {
    let ahead = wall.now() - steady.now();
    return defer(() => steady.wakeAt(steady.now() + lookEvery)).pipe(
      repeat(),
      map(() => {
        const before = ahead;
        ahead = wall.now() - steady.now();
        return before - ahead;
      }),
      filter((back) => back > tolerated),
    );
  });
}
