import { Observable, Subscription } from 'rxjs';
import type { Instant, Millis } from '../../src/domain/time.ts';
import type { Clock } from '../../src/effects/ports.ts';

/**
 * Another clock that differs by `ahead`, which a test may change. Timers that run keep to the clock below, as a machine's do: after a
 * step forward they are late, and after a step back they find that it is too early and go to sleep again.
 */
export class ShiftedClock implements Clock {
  ahead: Millis = 0;
  readonly #below: Clock;

  constructor(below: Clock) {
    this.#below = below;
  }

  now(): Instant {
    return this.#below.now() + this.ahead;
  }

  wakeAt(at: Instant): Observable<Instant> {
    return new Observable((observer) => {
      let timer = Subscription.EMPTY;
      const sleep = (): void => {
        timer = this.#below.wakeAt(at - this.ahead).subscribe({ complete: look });
      };
      const look = (): void => {
        if (this.now() < at) return sleep();
        observer.next(this.now());
        observer.complete();
      };
      sleep();
      return () => timer.unsubscribe();
    });
  }
}
