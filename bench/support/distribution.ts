/** Median, 99th percentile and the largest; NaN of nothing. */
export type Distribution = Readonly<{ median: number; p99: number; worst: number }>;

export function distributionOf(values: readonly number[]): Distribution {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (fraction: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? NaN;
  return { median: at(0.5), p99: at(0.99), worst: at(1) };
}
