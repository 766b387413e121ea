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
