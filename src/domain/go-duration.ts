/** What `readGoDuration` made of a text; `because` is a clause for the operator, such as `the unit is missing after 30`. */
export type DurationReading = Readonly<{ ok: true; ms: number }> | Readonly<{ ok: false; because: string }>;

const units = 'h, m, s, ms, us, ns';

const unitNs: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** Go keeps a duration in 64 bits with a sign; magnitudes up to this are summed, and only a negative one may reach it. */
const limitNs = 1n << 63n;
const tooLong = { ok: false, because: 'it is longer than Go can count (some 292 years)' } as const;

/**
 * Reads what Go's `time.ParseDuration` reads, and nothing else (SPEC 2.1): `1m30s`, `-1.5h`, `.5s`, `1.s`, `100us`, `0`.
 *
 * The result is in whole milliseconds, since no timer here is finer. It is rounded to the nearest one, but a length above
 * 0 never becomes 0: `100us` is 1 ms. It may be negative: only the caller knows whether that is wrong.
 */
export function readGoDuration(text: string): DurationReading {
  const negative = text.startsWith('-');
  let rest = negative || text.startsWith('+') ? text.slice(1) : text;
  if (rest === '0') return { ok: true, ms: 0 };
  if (rest === '') return { ok: false, because: 'it is empty' };

  let total = 0n;
  while (rest !== '') {
    const [, whole = '', fraction = ''] = /^(\d*)(?:\.(\d*))?/.exec(rest) ?? [];
    if (whole === '' && fraction === '') return { ok: false, because: `a number is missing before ${rest}` };
    const number = /^[\d.]+/.exec(rest)?.[0] ?? '';
    rest = rest.slice(whole.length + (rest[whole.length] === '.' ? fraction.length + 1 : 0));

    const unitName = /^[^\d.]*/.exec(rest)?.[0] ?? '';
    const unit = unitNs.get(unitName);
    if (unitName === '') return { ok: false, because: `the unit is missing after ${number}` };
    if (unit === undefined) return { ok: false, because: `${shown(unitName)} is not a unit (${units})` };
    rest = rest.slice(unitName.length);

    const part = BigInt(whole === '' ? 0 : whole) * unit + fractionNs(fraction, unit);
    total += part;
    if (part > limitNs || total > limitNs) return tooLong;
  }
  if (!negative && total === limitNs) return tooLong;
  return { ok: true, ms: wholeMs(total) * (negative && total > 0n ? -1 : 1) };
}

/**
 * Writes a length of time in milliseconds as Go's `Duration.String` does: `1m30s`, `1.5s`, `5m0s`, `0s`.
 * Fractions are kept down to the nanosecond.
 */
export function writeGoDuration(ms: number): string {
  if (ms < 0) return `-${writeGoDuration(-ms)}`;
  const whole = Math.trunc(ms);
  const ns = BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000));
  if (ns === 0n) return '0s';
  if (ns < 1_000n) return `${ns}ns`;
  if (ns < 1_000_000n) return `${decimal(ns, 3)}\u00b5s`;
  if (ns < 1_000_000_000n) return `${decimal(ns, 6)}ms`;

  const minutes = ns / 60_000_000_000n;
  const seconds = `${decimal(ns % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${minutes}m${seconds}` : `${hours}h${minutes % 60n}m${seconds}`;
}

/** Go gives up on digits that 63 bits cannot hold, and multiplies in floating point: the same steps give the same nanosecond. */
function fractionNs(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (value > (limitNs - 1n) / 10n || next > limitNs) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

function wholeMs(ns: bigint): number {
  if (ns > 0n && ns < 1_000_000n) return 1;
  return Number((ns + 500_000n) / 1_000_000n);
}

function decimal(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return digits.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`);
}

/** A blank would not be seen in a sentence. */
function shown(text: string): string {
  return /\s/.test(text) ? JSON.stringify(text) : text;
}
