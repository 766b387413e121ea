/** A value read off the command line, or what it must be: a clause such as `must be a number`; `hint` says what is wrong with it. */
export type ValueReading<Value> =
  | Readonly<{ ok: true; value: Value }>
  | Readonly<{ ok: false; because: string; hint?: string }>;

const truths = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const lies = ['0', 'f', 'F', 'FALSE', 'false', 'False'];

/** Go's `strconv.ParseBool`. */
export function readGoBool(text: string): ValueReading<boolean> {
  if (truths.includes(text)) return { ok: true, value: true };
  if (lies.includes(text)) return { ok: true, value: false };
  return { ok: false, because: 'must be true or false' };
}

const prefixes: Readonly<Record<string, readonly [digits: RegExp, literal: string]>> = {
  b: [/^[01]+$/, '0b'],
  o: [/^[0-7]+$/, '0o'],
  x: [/^[0-9a-f]+$/i, '0x'],
};

/** Go's `strconv.ParseInt` in base 0: `10`, `-3`, `0x10`, `0b1`, `0o17`, `017`, `1_000`. Beyond 2^53 the nearest number. */
export function readGoInt(text: string): ValueReading<number> {
  const unreadable = { ok: false, because: 'must be a whole number' } as const;
  const [, sign = '', body = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (!underscoresSeparate(body)) return unreadable;

  const bare = body.replaceAll('_', '');
  const [, letter = '', prefixed = ''] = /^0([box])(.+)$/i.exec(bare) ?? [];
  const isOctal = bare.length > 1 && bare.startsWith('0') && letter === '';
  const [digits, literal] = prefixes[letter.toLowerCase() || (isOctal ? 'o' : '')] ?? [/^\d+$/, ''];
  const number = letter === '' ? bare : prefixed;
  if (!digits.test(number)) return unreadable;

  const value = BigInt(literal + number) * (sign === '-' ? -1n : 1n);
  if (BigInt.asIntN(64, value) !== value) return { ok: false, because: 'must fit into 64 bits' };
  return { ok: true, value: Number(value) };
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const hexadecimal = /^([+-]?)0x([0-9a-f]+\.?|[0-9a-f]*\.[0-9a-f]+)p([+-]?\d+)$/i;

/** Go's `strconv.ParseFloat`: `5`, `.5`, `5e-1`, `0x1p-2`, `1_000.5`, `inf`; but NaN is refused, since nothing here could work by it. */
export function readGoFloat(text: string): ValueReading<number> {
  const unreadable = { ok: false, because: 'must be a number' } as const;
  const [, sign] = /^([+-]?)inf(?:inity)?$/i.exec(text) ?? [];
  if (sign !== undefined) return { ok: true, value: sign === '-' ? -Infinity : Infinity };

  const body = text.replace(/^[+-]/, '');
  if (!underscoresSeparate(body)) return unreadable;
  const bare = text.replaceAll('_', '');
  const hex = hexadecimal.exec(bare);
  if (hex === null && !decimal.test(bare)) return unreadable;

  const value = hex === null ? Number(bare) : hexFloat(hex);
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, because: 'must be below 1.8e308' };
}

function hexFloat([, sign = '', mantissa = '', exponent = '0']: RegExpExecArray): number {
  const [whole = '', fraction = ''] = mantissa.split('.');
  const value = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

/** An underscore stands between two digits, or between the base prefix and a digit. */
function underscoresSeparate(text: string): boolean {
  const [, prefix = '', rest = ''] = /^(0[box])?(.*)$/is.exec(text) ?? [];
  const separators = prefix.toLowerCase() === '0x' ? /(?<=[0-9a-f])_(?=[0-9a-f])/gi : /(?<=\d)_(?=\d)/g;
  return !`${prefix === '' ? '' : '0'}${rest}`.replaceAll(separators, '').includes('_');
}
