import type { Subscription } from 'rxjs';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';

/**
 * Calls again and again, `every()` so much later, and says how late it is. A tick that was missed is not made up for.
 * Answers how to stop.
 */
export function ticks(clock: Clock, every: () => Millis, tick: (now: Instant, late: Millis) => void): () => void {
  let waiting: Subscription | undefined;
  const wait = (at: Instant): void => {
    waiting = clock.wakeAt(at).subscribe((now) => {
      wait(Math.max(at, now - every()) + every());
      tick(now, now - at);
    });
  };
  wait(clock.now() + every());
  return () => waiting?.unsubscribe();
}
