import { Observable } from 'rxjs';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';

type Sleeper = { readonly at: Instant; readonly order: number; wake: (() => void) | undefined };

/**
 * A clock that stands still until a test moves it. Sleepers wake in the order of their instants, then of their calls;
 * between two of them, all promises that need no timer and no network run out, so that everything that one
 * sleeper starts is over before the next one wakes.
 *
 * A heap, because a virtual day holds millions of sleepers and RxJS' own virtual scheduler sorts its whole queue each time.
 */
export class VirtualClock implements Clock {
  #now: Instant;
  #order = 0;
  #sleeping = 0;
  readonly #heap: Sleeper[] = [];

  constructor(start: Instant = 0) {
    this.#now = start;
  }

  now(): Instant {
    return this.#now;
  }

  wakeAt(at: Instant): Observable<Instant> {
    return new Observable((observer) => {
      const sleeper: Sleeper = {
        at: Math.max(at, this.#now),
        order: this.#order++,
        wake: () => {
          observer.next(this.#now);
          observer.complete();
        },
      };
      this.#sleeping++;
      this.#push(sleeper);
      return () => {
        if (sleeper.wake !== undefined) this.#sleeping--;
        sleeper.wake = undefined;
      };
    });
  }

  /** How many sleepers wait to be woken. */
  get sleeping(): number {
    return this.#sleeping;
  }

  /** The earliest instant at which a sleeper wakes; undefined if nobody sleeps. */
  get nextWakeAt(): Instant | undefined {
    while (this.#heap[0] !== undefined && this.#heap[0].wake === undefined) this.#pop();
    return this.#heap[0]?.at;
  }

  async advanceBy(length: Millis): Promise<void> {
    await this.advanceTo(this.#now + length);
  }

  /** Wakes all sleepers that are due up to and including `target`, also those that begin to sleep meanwhile; then it is `target`. */
  async advanceTo(target: Instant): Promise<void> {
    await settled();
    for (let next = this.nextWakeAt; next !== undefined && next <= target; next = this.nextWakeAt)
      await this.#wakeNext();
    this.#now = Math.max(this.#now, target);
    await settled();
  }

  /** Moves from sleeper to sleeper until `work` is settled, and gives its result. Fails if nobody is left to wake, or at `limit`. */
  async until<Value>(work: Promise<Value>, limit: Instant = this.#now + 86_400_000): Promise<Value> {
    const state = { over: false };
    const watched = work.finally(() => {
      state.over = true;
    });
    // The loop below may throw before anybody awaits it.
    watched.catch(() => undefined);
    for (await settled(); !state.over; await settled()) {
      const next = this.nextWakeAt;
      if (next === undefined) throw new Error(`at ${this.#now} nobody sleeps, and the work is not done`);
      if (next > limit) throw new Error(`the work is not done by ${limit}`);
      await this.#wakeNext();
    }
    return watched;
  }

  /** Not an async function of its own: a life wakes millions, and each would cost two more promises. */
  #wakeNext(): Promise<void> {
    const sleeper = this.#pop();
    this.#now = Math.max(this.#now, sleeper.at);
    sleeper.wake?.();
    return settled();
  }

  #push(sleeper: Sleeper): void {
    const heap = this.#heap;
    let index = heap.push(sleeper) - 1;
    for (let parent = (index - 1) >> 1; index > 0 && before(sleeper, heap[parent]); parent = (index - 1) >> 1) {
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = sleeper;
  }

  #pop(): Sleeper {
    const heap = this.#heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child++;
      if (!before(heap[child], last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

function before(one: Sleeper | undefined, other: Sleeper | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}

/** Lets promises that need neither timer nor network run out. Takes no time of its own. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
