import { map, Observable, type Subscription } from 'rxjs';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';

/** A clock whose speed may be changed while it is in use. */
export type PacedClock = Clock &
  Readonly<{
    /** How much faster than `base` it runs now. */
    speed(): number;
    /** Runs so much faster than `base` from now on; above 0. Sleepers are still woken at the instant that they asked for. */
    pace(speed: number): void;
  }>;

/** Starts at the time of `base`, `speed` times as fast. */
export function pacedClock(base: Clock, first: number): PacedClock {
  let [speed, since, sinceBase] = [first, base.now(), base.now()];
  const sleepers = new Set<() => void>();
  const now = (): Instant => since + (base.now() - sinceBase) * speed;

  return {
    now,
    speed: () => speed,
    pace(next) {
      if (next === speed) return;
      [since, sinceBase, speed] = [now(), base.now(), next];
      for (const sleepAnew of sleepers) sleepAnew();
    },
    wakeAt: (at) =>
      new Observable<void>((observer) => {
        let sleeping: Subscription | undefined;
        const sleep = (): void => {
          sleeping?.unsubscribe();
          sleeping = base.wakeAt(sinceBase + (at - since) / speed).subscribe(() => {
            // Rounding may wake it slightly too early.
            if (now() < at) return sleep();
            observer.next();
            observer.complete();
          });
        };
        sleepers.add(sleep);
        sleep();
        return () => {
          sleepers.delete(sleep);
          sleeping?.unsubscribe();
        };
      }).pipe(map(() => now())),
  };
}
