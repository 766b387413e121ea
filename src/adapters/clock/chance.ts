import { drawChance } from '../../domain/backoff.ts';
import type { Chance } from '../../effects/ports.ts';

/** For production, without a seed: nobody should be able to predict when shoots are probed together. */
export const systemChance: Chance = () => Math.random();

/** The same numbers for the same seed, so that one number is enough to repeat a simulated run. */
export function seededChance(seed: number): Chance {
  let next = seed >>> 0;
  return () => {
    const { value, rest } = drawChance(next);
    next = rest;
    return value;
  };
}
