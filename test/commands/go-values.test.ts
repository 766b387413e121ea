import { expect, test } from 'vitest';
import { readGoBool, readGoFloat, readGoInt, type ValueReading } from '../../src/commands/go-values.ts';

// Every expectation was checked against strconv of Go 1.26.

function valueOf<Value>(reading: ValueReading<Value>): Value | string {
  return reading.ok ? reading.value : reading.because;
}

test("1.2 booleans are Go's, and no others", () => {
  expect(['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => valueOf(readGoBool(text)))).toEqual(Array(6).fill(true));
  expect(['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => valueOf(readGoBool(text)))).toEqual(
    Array(6).fill(false),
  );
  for (const text of ['', 'yes', 'tRUE', 'on', '2', ' true']) {
    expect(valueOf(readGoBool(text))).toBe('must be true or false');
  }
});

const ints: readonly (readonly [text: string, value: number | string])[] = [
  ['10', 10],
  ['-10', -10],
  ['+7', 7],
  ['0', 0],
  ['0x10', 16],
  ['0XfF', 255],
  ['-0x10', -16],
  ['0b101', 5],
  ['0o17', 15],
  ['017', 15],
  ['00', 0],
  ['1_000', 1_000],
  ['0x_10', 16],
  ['0_7', 7],
  ['9223372036854775807', 2 ** 63],
  ['', 'must be a whole number'],
  ['-', 'must be a whole number'],
  ['08', 'must be a whole number'],
  ['0x', 'must be a whole number'],
  ['0b2', 'must be a whole number'],
  ['1__0', 'must be a whole number'],
  ['_1', 'must be a whole number'],
  ['1_', 'must be a whole number'],
  ['1.0', 'must be a whole number'],
  ['1e3', 'must be a whole number'],
  [' 1', 'must be a whole number'],
  ['--1', 'must be a whole number'],
  ['9223372036854775808', 'must fit into 64 bits'],
];

test.for(ints)('1.2 the whole number %j reads as %j', ([text, value]) => {
  expect(valueOf(readGoInt(text))).toBe(value);
});

const floats: readonly (readonly [text: string, value: number | string])[] = [
  ['20.0', 20],
  ['5', 5],
  ['.5', 0.5],
  ['5.', 5],
  ['-1', -1],
  ['5e-1', 0.5],
  ['1E3', 1_000],
  ['017', 17],
  ['1_000.5', 1_000.5],
  ['0x1p-2', 0.25],
  ['-0x1.8p1', -3],
  ['0x.8p1', 1],
  ['inf', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['', 'must be a number'],
  ['.', 'must be a number'],
  ['1e', 'must be a number'],
  ['0x10', 'must be a number'],
  ['0x.p1', 'must be a number'],
  ['1_.5', 'must be a number'],
  ['1,5', 'must be a number'],
  ['5s', 'must be a number'],
  ['nan', 'must be a number'],
  ['1e400', 'must be below 1.8e308'],
];

test.for(floats)('1.2 the number %j reads as %j', ([text, value]) => {
  expect(valueOf(readGoFloat(text))).toBe(value);
});
