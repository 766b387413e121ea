import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { Chance } from '../../src/effects/ports.ts';

/** A stream of chance of its own for each use, so that one more draw here changes nothing there. */
export function chanceOf(number: number, use: string): Chance {
  // FNV-1a
  let hash = 0x811c9dc5 ^ number;
  for (const char of use) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return seededChance((hash ^ (hash >>> 13)) >>> 0);
}

/** Draws with a probability. */
export function strikes(chance: Chance, probability: number): boolean {
  return chance() < probability;
}

export function between(chance: Chance, least: number, most: number): number {
  return Math.round(least + chance() * (most - least));
}

export function oneOf<Value>(chance: Chance, values: readonly Value[]): Value {
  return values[Math.floor(chance() * values.length)]!;
}
