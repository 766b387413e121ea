import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import type { Chance } from 'dependency-watchdog/effects/ports.ts';

/** What is drawn from one stream of chance. Numbers are whole ones. */
export type Draws = Readonly<{
  chance: Chance;
  between(least: number, most: number): number;
  oneOf<Value>(values: readonly Value[]): Value;
  strikes(probability: number): boolean;
}>;

export function drawsFrom(chance: Chance): Draws {
  return {
    chance,
    between: (least, most) => Math.round(least + chance() * (most - least)),
    oneOf: <Value>(values: readonly Value[]): Value => values[Math.floor(chance() * values.length)]!,
    strikes: (probability) => chance() < probability,
  };
}

/** A stream of chance of its own for each use, so that one more draw here changes nothing there. */
export function chanceOf(number: number, use: string): Chance {
  // FNV-1a
  let hash = 0x811c9dc5 ^ number;
  for (const char of use) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return seededChance((hash ^ (hash >>> 13)) >>> 0);
}

export function drawsOf(number: number, use: string): Draws {
  return drawsFrom(chanceOf(number, use));
}
