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

type Lengths = Readonly<{ [name: string]: Millis | Lengths | undefined }>;

/** Lengths in seconds, also those within spreads. `suffix` is added to each name. */
export function jsonLengths(lengths: Lengths, suffix = ''): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(lengths).map(([name, one]) => [
      `${name}${suffix}`,
      typeof one === 'number' ? jsonSeconds(one) : one && jsonLengths(one),
    ]),
  );
}

/** Stands for a missing figure. */
const none = '-';

/** A length, or another figure, or the sign for a missing one. */
export function figure(value: number | undefined, show: (value: number) => string = lengthText): string {
  return value === undefined ? none : show(value);
}
