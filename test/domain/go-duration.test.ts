import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readGoDuration, writeGoDuration } from '../../src/domain/go-duration.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

// Each line was run through Go 1.26's time.ParseDuration; the milliseconds are its nanoseconds, rounded as we promise.
const readable: readonly (readonly [text: string, ms: number])[] = [
  ['0', 0],
  ['+0', 0],
  ['-0', 0],
  ['0s', 0],
  ['-0s', 0],
  ['0.000000000001s', 0],
  ['30s', 30 * second],
  ['1m30s', minute + 30 * second],
  ['1h30m', hour + 30 * minute],
  ['1.5h', hour + 30 * minute],
  ['-1.5h', -(hour + 30 * minute)],
  ['+5s', 5 * second],
  ['.5s', 500],
  ['1.s', second],
  ['1.5s1ms', 1_501],
  ['30s1h', hour + 30 * second],
  ['007m', 7 * minute],
  ['1ns', 1],
  ['100us', 1],
  ['-100us', -1],
  ['100\u00b5s', 1],
  ['100\u03bcs', 1],
  ['1499us', 1],
  ['1500us', 2],
  ['0.3333333333333333333h', 20 * minute],
  ['9007199254.740993ms', 9_007_199_255],
  ['2562047h47m16.854775807s', 9_223_372_036_855],
  ['-9223372036854775808ns', -9_223_372_036_855],
];

test.for(readable)('2.1 %s is read as Go reads it', ([text, ms]) => {
  expect(readGoDuration(text)).toEqual({ ok: true, ms });
});

const unreadable: readonly (readonly [text: string, because: string])[] = [
  ['', 'it is empty'],
  ['-', 'it is empty'],
  ['30', 'the unit is missing after 30'],
  ['1:30', ': is not a unit (h, m, s, ms, us, ns)'],
  ['1.5.2s', 'the unit is missing after 1.5.2'],
  ['5 s', '" s" is not a unit (h, m, s, ms, us, ns)'],
  ['5s ', '"s " is not a unit (h, m, s, ms, us, ns)'],
  ['5S', 'S is not a unit (h, m, s, ms, us, ns)'],
  ['1d', 'd is not a unit (h, m, s, ms, us, ns)'],
  ['.s', 'a number is missing before .s'],
  ['s', 'a number is missing before s'],
  ['--5s', 'a number is missing before -5s'],
  ['1h-5m', 'h- is not a unit (h, m, s, ms, us, ns)'],
  ['1_000s', '_ is not a unit (h, m, s, ms, us, ns)'],
  ['infinity', 'a number is missing before infinity'],
  ['9223372036854775808ns', 'it is longer than Go can count (some 292 years)'],
  ['2562047h47m16.854775808s', 'it is longer than Go can count (some 292 years)'],
  ['99999999999999999999s', 'it is longer than Go can count (some 292 years)'],
];

test.for(unreadable)('2.1 %j is refused, with the reason', ([text, because]) => {
  expect(readGoDuration(text)).toEqual({ ok: false, because });
});

const written: readonly (readonly [ms: number, text: string])[] = [
  [0, '0s'],
  [90 * second, '1m30s'],
  [5 * minute, '5m0s'],
  [hour, '1h0m0s'],
  [1_500, '1.5s'],
  [61_001, '1m1.001s'],
  [250, '250ms'],
  [0.25, '250\u00b5s'],
  [0.0015, '1.5\u00b5s'],
  [0.000001, '1ns'],
  [12.3456, '12.3456ms'],
  [-90 * second, '-1m30s'],
];

test.for(written)('2.1 %d ms is written as Go writes it', ([ms, text]) => {
  expect(writeGoDuration(ms)).toBe(text);
});

test('2.1 what is written is read back as the same length', () => {
  const anyLength = fc.oneof(
    fc.integer({ min: -10 * hour, max: 10 * hour }),
    fc.integer({ min: -9_223_372_036_854, max: 9_223_372_036_854 }),
  );
  fc.assert(
    fc.property(anyLength, (ms) => {
      expect(readGoDuration(writeGoDuration(ms))).toEqual({ ok: true, ms });
    }),
  );
});

test('2.1 any text is read as whole milliseconds, or refused with a reason; nothing is thrown', () => {
  const piece = fc.constantFrom(
    '1',
    '0',
    '9',
    '.',
    '5',
    'h',
    'm',
    's',
    'ms',
    'us',
    'ns',
    '-',
    '+',
    ' ',
    'd',
    '\u00b5s',
  );
  const anyText = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(anyText, (text) => {
      const reading = readGoDuration(text);
      expect(reading.ok ? Number.isSafeInteger(reading.ms) : reading.because !== '').toBe(true);
    }),
  );
});
