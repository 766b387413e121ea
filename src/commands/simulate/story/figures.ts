import { counted } from '../../../adapters/words/plain-words.ts';
import type { Millis } from '../../../domain/time.ts';

/** `0.04 s`, `9.3 s`, `312 s`: only as many digits as are worth comparing. */
export function lengthText(length: Millis): string {
  const seconds = length / 1_000;
  const magnitude = Math.abs(seconds);
  return `${seconds.toFixed(magnitude < 2 ? 2 : magnitude < 200 ? 1 : 0)} s`;
}

/** The median and the worst of several figures. */
export type Spread = Readonly<{ median: number; worst: number }>;

export type Spreads<Name extends string> = Readonly<Partial<Record<Name, Spread>>>;

/** The median and the worst of each figure, over all that have it. A figure that nobody has is left out. */
export function spreads<Name extends string>(
  names: Readonly<Record<Name, 'greatest' | 'least'>>,
  of: readonly Readonly<Partial<Record<NoInfer<Name>, number>>>[],
): Spreads<Name> {
  const spread: { -readonly [Each in Name]?: Spread } = {};
  for (const name of Object.keys(names) as Name[]) {
    const sorted = of
      .map((one) => one[name])
      .filter((figure) => figure !== undefined)
      .toSorted((one, other) => (names[name] === 'greatest' ? one - other : other - one));
    const [median, worst] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
    if (median !== undefined && worst !== undefined) spread[name] = { median, worst };
  }
  return spread;
}

/** A length in seconds, to the millisecond. */
export function jsonSeconds(length: Millis): number {
  return Math.round(length) / 1_000;
}

/** The same for a spread; undefined if there is none. */
export function jsonSpread(spread: Spread | undefined): Spread | undefined {
  return spread && { median: jsonSeconds(spread.median), worst: jsonSeconds(spread.worst) };
}

/** Why a story failed: how many shoots or control planes are how, and what else. */
export function failedWords(
  noun: string,
  faults: readonly (readonly [count: number, words: string])[],
  more = '',
): string {
  const told = faults.flatMap(([count, words]) => (count === 0 ? [] : [`${counted(count, noun)} ${words}`]));
  return `FAILED: ${[...told, ...(more === '' ? [] : [more])].join(', ') || 'the story did not go as planned'}.`;
}

/** Stands for a missing figure. */
export const none = '-';

/** A length, or the sign for a missing one. */
export function figure(length: Millis | undefined): string {
  return length === undefined ? none : lengthText(length);
}
