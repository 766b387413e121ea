import type { Chance } from '../../effects/ports.ts';

/** Unseeded, for production: nobody should be able to foretell when shoots are probed together. */
export const systemChance: Chance = () => Math.random();

/** The same numbers for the same seed (mulberry32), so that a simulated run can be told again by one number. */
export function seededChance(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
