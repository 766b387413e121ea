import type { Millis } from '../../../domain/time.ts';

/** `0.04 s`, `9.3 s`, `312 s`: as many digits as anybody wants to compare. */
export function lengthText(length: Millis): string {
  const seconds = length / 1_000;
  const magnitude = Math.abs(seconds);
  return `${seconds.toFixed(magnitude < 2 ? 2 : magnitude < 200 ? 1 : 0)} s`;
}

/** The middle one and the worst one of several figures. */
export type Spread = Readonly<{ median: number; worst: number }>;

export type Spreads<Name extends string> = Readonly<Partial<Record<Name, Spread>>>;

/** The middle and the worst of each figure, over those who have it; left out where nobody does. */
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

/** The same of a spread; undefined where there is none. */
export function jsonSpread(spread: Spread | undefined): Spread | undefined {
  return spread && { median: jsonSeconds(spread.median), worst: jsonSeconds(spread.worst) };
}

/** Stands for a figure that there is none of. */
export const none = '-';

/** A length, or the sign that there is none. */
export function figure(length: Millis | undefined): string {
  return length === undefined ? none : lengthText(length);
}
