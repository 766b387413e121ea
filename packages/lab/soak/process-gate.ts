import { Observable } from 'rxjs';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';

/** `news`: an answer, an event of a watch, a signal. `timer`: one that fires. */
type Held = Readonly<{ is: 'news' | 'timer'; task: () => void }>;

/**
 * Everything that happens inside a simulated process goes through its gate: timers that fire, answers that come. While the process is
 * paused it all waits; after a crash nothing happens any more, and what hangs is garbage.
 *
 * What was held happens one after the other, with all that comes of it: first the news, in order, then the timers. So does Node: a process stands
 * still in the kernel's poll, and libuv looks at its timers after it. Whatever goes by a timer alone is late after a pause.
 */
export class ProcessGate {
  readonly #soon: (task: () => void) => void;
  #state: 'open' | 'paused' | 'catching up' | 'shut' = 'open';
  #held: Held[] = [];

  /** `soon` runs a task in the same instant, once all that has begun is over. */
  constructor(soon: (task: () => void) => void) {
    this.#soon = soon;
  }

  get isShut(): boolean {
    return this.#state === 'shut';
  }

  get isPaused(): boolean {
    return this.#state === 'paused';
  }

  run(task: () => void): void {
    this.#take({ is: 'news', task });
  }

  fire(timer: () => void): void {
    this.#take({ is: 'timer', task: timer });
  }

  pause(): void {
    if (this.#state !== 'shut') this.#state = 'paused';
  }

  /** Everything that was held happens in this instant, unless the process pauses or crashes in between. */
  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'catching up';
    this.#catchUp();
  }

  shut(): void {
    this.#state = 'shut';
    this.#held = [];
  }

  #take(held: Held): void {
    if (this.#state === 'open') held.task();
    else if (this.#state !== 'shut') this.#held.push(held);
  }

  #catchUp(): void {
    if (this.#state !== 'catching up') return;
    const next = this.#next();
    if (next === undefined) {
      this.#state = 'open';
      return;
    }
    next();
    this.#soon(() => this.#catchUp());
  }

  #next(): (() => void) | undefined {
    const news = this.#held.findIndex(({ is }) => is === 'news');
    const [next] = this.#held.splice(Math.max(news, 0), 1);
    return next?.task;
  }
}

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
