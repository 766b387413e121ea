import type { Subscription } from 'rxjs';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';

type Entry = { readonly at: Instant; readonly order: number; task: ((now: Instant) => void) | undefined };

/**
 * Many appointments on one timer: thousands of kubelets must not cost the event loop a timer each. Tasks that are due
 * together run in the order of their instants, then of their creation, so that a seeded run goes the same way twice.
 */
export class Agenda {
  readonly clock: Clock;
  readonly #heap: Entry[] = [];
  #order = 0;
  #wake: Subscription | undefined;
  #wakesAt: Instant = Infinity;
  #running = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Returns a function that cancels. */
  at(instant: Instant, task: (now: Instant) => void): () => void {
    const entry: Entry = { at: instant, order: (this.#order += 1), task };
    this.#push(entry);
    this.#arm();
    return () => {
      // A cancelled entry stays in the heap until it is due: removing it would cost more than keeping it.
      entry.task = undefined;
    };
  }

  after(delay: Millis, task: (now: Instant) => void): () => void {
    return this.at(this.clock.now() + delay, task);
  }

  /** Forgets every appointment. */
  stop(): void {
    this.#heap.length = 0;
    this.#arm();
  }

  #arm(): void {
    if (this.#running) return;
    const next = this.#heap[0]?.at ?? Infinity;
    if (next === this.#wakesAt) return;
    this.#wake?.unsubscribe();
    this.#wake = undefined;
    this.#wakesAt = next;
    if (next === Infinity) return;
    this.#wake = this.clock.wakeAt(next).subscribe(() => this.#run());
  }

  #run(): void {
    this.#running = true;
    this.#wakesAt = Infinity;
    try {
      const now = this.clock.now();
      // Runs only what was due when we woke: a task that repeats itself for ever must not starve the event loop.
      for (let next = this.#heap[0]; next !== undefined && next.at <= now; next = this.#heap[0]) {
        this.#pop();
        next.task?.(now);
      }
    } finally {
      this.#running = false;
      this.#arm();
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >>> 1;
      const above = heap[parent];
      if (above === undefined || !before(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = heap[2 * index + 1];
      const right = heap[2 * index + 2];
      const least = right !== undefined && left !== undefined && before(right, left) ? right : left;
      if (least === undefined || !before(least, last)) break;
      heap[index] = least;
      index = least === left ? 2 * index + 1 : 2 * index + 2;
    }
    heap[index] = last;
  }
}

function before(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
