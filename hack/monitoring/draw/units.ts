/** A value as Grafana writes it with this unit. */
export function written(value: number, unit: string | undefined): string {
  switch (unit) {
    case 's':
      return seconds(value);
    case 'bytes':
      return `${short(value / 1_048_576)} MiB`;
    case 'percentunit':
      return `${short(value * 100)} %`;
    case 'reqps':
    case 'ops':
      return `${short(value)}/s`;
    case undefined:
    default:
      return short(value);
  }
}

function seconds(value: number): string {
  if (value === 0) return '0 s';
  if (Math.abs(value) < 1) return `${short(value * 1_000)} ms`;
  return Math.abs(value) < 120 ? `${short(value)} s` : `${short(value / 60)} min`;
}

function short(value: number): string {
  const size = Math.abs(value);
  return String(Number(value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4)));
}

/** From 0, or below, to at least the largest value, in steps that are easy to read. */
export function ticks(values: readonly number[], unit: string | undefined): readonly number[] {
  const least = Math.min(0, ...values);
  const largest = Math.max(0, ...values) || (least === 0 ? 1 : 0);
  const size = largest - least;
  const scale = unit === 'bytes' ? 1_048_576 : 1;
  const rough = size / scale / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10) * power * scale;
  const first = Math.floor(least / step);
  const count = Math.max(1, Math.ceil(largest / step - 1e-9)) - first;
  return Array.from({ length: count + 1 }, (_, index) => (first + index) * step);
}
