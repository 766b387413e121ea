/** Median, 99th percentile and the largest; NaN of nothing. */
export type Distribution = Readonly<{ median: number; p99: number; worst: number }>;

export function distributionOf(values: readonly number[]): Distribution {
  const sorted = values.toSorted((one, other) => one - other);
  // By the nearest rank: of a hundred values the 99th, not the largest.
  const at = (fraction: number): number => sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? NaN;
  return { median: at(0.5), p99: at(0.99), worst: at(1) };
}
