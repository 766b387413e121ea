import type { Instant } from '../../../domain/time.ts';

/** The index of the last one that is not later than that, in a list that is in order; −1 where none is. */
export function lastUntil(list: readonly Readonly<{ at: Instant }>[], at: Instant): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.at ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
