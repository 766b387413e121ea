import { Observable } from 'rxjs';
import type { Instant, Millis } from '../../src/domain/time.ts';
import type { Clock } from '../../src/effects/ports.ts';
import type { ProcessGate } from './process-gate.ts';

const nothing = (): void => undefined;

/**
 * The clock of one simulated process. It differs from the world's by `ahead`, which may change, and by its drift. Its timers run as a machine's
 * do: after a step forward they are late, and after a step back they sleep again. They fire through the gate.
 */
export class ProcessClock implements Clock {
  ahead: Millis = 0;
  readonly #world: Clock;
  readonly #gate: ProcessGate;
  readonly #drift: number;
  readonly #beganAt: Instant;
  #sleeping = 0;

  /** `drift` is how much faster it runs: 0.001 is a millisecond in a second. */
  constructor(
    world: Clock,
    gate: ProcessGate,
    { ahead = 0, drift = 0 }: Readonly<{ ahead?: Millis; drift?: number }> = {},
  ) {
    this.#world = world;
    this.#gate = gate;
    this.#drift = drift;
    this.#beganAt = world.now();
    this.ahead = ahead;
  }

  now(): Instant {
    const now = this.#world.now();
    return now + this.ahead + (now - this.#beganAt) * this.#drift;
  }

  /** How many timers of the process have neither fired nor been given up. */
  get sleeping(): number {
    return this.#sleeping;
  }

  wakeAt(at: Instant): Observable<Instant> {
    return new Observable((observer) => {
      this.#sleeping += 1;
      let isOver = false;
      let cancel = nothing;
      const sleep = (): void => {
        const left = Math.max(0, at - this.now()) / (1 + this.#drift);
        const timer = this.#world.wakeAt(this.#world.now() + left).subscribe(() => this.#gate.fire(look));
        cancel = () => timer.unsubscribe();
      };
      const look = (): void => {
        if (isOver) return;
        // A rounding error is no reason to sleep again.
        if (at - this.now() > 1e-3) return sleep();
        observer.next(Math.max(at, this.now()));
        observer.complete();
      };
      sleep();
      return () => {
        this.#sleeping -= 1;
        isOver = true;
        cancel();
      };
    });
  }
}
