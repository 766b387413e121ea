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

/**
 * Draws a machine's next chance, so that a replay draws the same ones (mulberry32).
 * `value` is in [0, 1); `rest` is what to draw the next one from.
 */
export function drawChance(chance: number): Readonly<{ value: number; rest: number }> {
  const rest = (chance + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(rest ^ (rest >>> 15), rest | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return { value: ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32, rest };
}

/** The seed of a row of chances, 0 to 2^32 − 1, out of `value` in [0, 1). */
export function seedOfChance(value: number): number {
  return Math.floor(value * 2 ** 32);
}

/** In whole milliseconds, and never shorter than `length`: no shoot may be probed sooner than its operator asked for (SPEC 2, backoffJitterFactor). */
export function jittered(length: Millis, factor: number, value: number): Millis {
  return Math.ceil(length * (1 + value * factor));
}
