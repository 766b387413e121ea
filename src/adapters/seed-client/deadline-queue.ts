import type { Instant } from '../../domain/time.ts';

type Place<Item> = Readonly<{ by: Instant; item: Item }>;

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

  add(item: Item, by: Instant): void {
    let low = 0;
    let high = this.#places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#places[middle];
      if (other !== undefined && other.by <= by) low = middle + 1;
      else high = middle;
    }
    this.#places.splice(low, 0, { by, item });
  }

  delete(item: Item): void {
    const index = this.#places.findIndex((place) => place.item === item);
    if (index >= 0) this.#places.splice(index, 1);
  }
}
