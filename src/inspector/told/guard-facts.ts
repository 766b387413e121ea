import { seconds } from '../../adapters/words/plain-words.ts';
import type { Instant } from '../../domain/time.ts';
import type { Fact } from './explanation.ts';

export function fact(name: string, value: string): Fact {
  return { name, value };
}

export function yesOrNo(name: string, value: boolean): Fact {
  return { name, value: value ? 'yes' : 'no' };
}

/** An instant, and how far it is from the turn's: `12:00:44.1, 0.3 s ago`. */
export function instantFact(name: string, at: Instant | null | undefined, now: Instant): Fact {
  return at === null || at === undefined ? fact(name, 'none') : { name, value: distanceWords(at - now), at };
}

function distanceWords(millis: number): string {
  if (millis === 0) return 'now';
  const size = Math.abs(millis);
  // What a decision takes is a few hundredths of a second.
  const length = size < 1_000 ? `${(size / 1_000).toFixed(2)} s` : seconds(size);
  return millis < 0 ? `${length} ago` : `in ${length}`;
}

/** `60 %`, `66.7 %`. */
export function percent(fraction: number): string {
  return `${Math.round(fraction * 1_000) / 10} %`;
}

/** Enough to see what they have in common. */
const mostNamed = 5;

/** A shoot's owner chooses the names of nodes. */
const longestName = 63;

/** `node-a, node-b and 3 more`; `none`. */
export function namesWords(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - mostNamed;
  const named = names.slice(0, mostNamed).map(shortened).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

export function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}
