import type { Millis } from './time.ts';

/** How a pause grows while something goes on failing. */
export type Backoff = Readonly<{
  /** The pause after the first failure; it doubles with each one that follows. */
  first: Millis;
  longest: Millis;
}>;

/** The pause after the `failures`-th failure in a row (1 or more, however many). */
export function backoff(failures: number, { first, longest }: Backoff): Millis {
  // After a thousand failures the product is infinite, and the longest pause still holds.
  return Math.min(longest, first * 2 ** (failures - 1));
}

/** As `backoff`; its upper half is left to `chance` in [0, 1), so that what failed together does not come back together. */
export function spreadBackoff(failures: number, range: Backoff, chance: number): Millis {
  return backoff(failures, range) * (0.5 + chance / 2);
}
