import type { Instant, Millis } from '../../domain/time.ts';

/**
 * Paces a burst: at most `most` callers pass in one turn of the event loop, and the others in later turns: in the order of the instants by which
 * each is needed, and else first come, first served. When all shoots are asked at the same instant, their handshakes are then not one
 * long pause, and the first shoots are answered before the last ones begin. Side by side, all would be answered late. It does not wait
 * for any answer, so a shoot that hangs does not hold up the others.
 */
export function pacer(most: number): (by?: Instant, now?: Instant) => Promise<void> {
  const waiting = new DeadlineQueue<() => void>();
  let left = most;
  let turning = false;

  const turn = (): void => {
    const passing = waiting.takeFirst(most);
    left = most - passing.length;
    turning = passing.length > 0;
    if (turning) setImmediate(turn);
    for (const pass of passing) pass();
  };

  return (by, now = 0) => {
    if (!turning) {
      turning = true;
      setImmediate(turn);
    }
    if (left === 0) return new Promise((resolve) => waiting.add(resolve, by, now));
    left -= 1;
    return Promise.resolve();
  };
}

type Place<Item> = Readonly<{ key: Instant; item: Item }>;

/**
 * An item counts as needed within this time from its arrival, and never as needed before it. So nobody waits for more than those that
 * came at most so much later, however urgent they are.
 */
const longestOvertaken: Millis = 10_000;

/** Holds items in the order of the instants by which each is needed; of the same instant, the one that came first goes first. */
export class DeadlineQueue<Item> {
  // A sorted array and not a heap: almost all items come at the end and leave at the front, and one may leave from the middle.
  readonly #places: Place<Item>[] = [];

  get size(): number {
    return this.#places.length;
  }

  get first(): Item | undefined {
    return this.#places[0]?.item;
  }

  /** `by`: when it is needed; undefined where that does not matter. */
  add(item: Item, by: Instant | undefined, now: Instant): void {
    const key = Math.min(Math.max(by ?? Infinity, now), now + longestOvertaken);
    let low = 0;
    let high = this.#places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#places[middle];
      if (other !== undefined && other.key <= key) low = middle + 1;
      else high = middle;
    }
    this.#places.splice(low, 0, { key, item });
  }

  delete(item: Item): void {
    const index = this.#places.findIndex((place) => place.item === item);
    if (index >= 0) this.#places.splice(index, 1);
  }

  /** Takes up to `most` of the first ones out. */
  takeFirst(most: number): readonly Item[] {
    return this.#places.splice(0, most).map(({ item }) => item);
  }
}
