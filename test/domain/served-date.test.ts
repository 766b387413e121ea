import { expect, test } from 'vitest';
import { clockDifference, readServedDate } from '../../src/domain/prober/node-lease.ts';

const now = Date.parse('2026-11-22T10:00:00.500Z');
const at = (text: string, took = 20) => readServedDate(text, now, now + took);

test.each<[string, string | undefined, string | undefined]>([
  ['an HTTP date', 'Sun, 22 Nov 2026 10:00:00 GMT', '2026-11-22T10:00:00.000Z'],
  ['no header', undefined, undefined],
  ['an empty one', '', undefined],
  ['words', 'tomorrow', undefined],
  ['a year alone', '2026', undefined],
  ['another form', '2026-11-22T10:00:00Z', undefined],
  ['no day of any month', 'Sun, 99 Nov 2026 10:00:00 GMT', undefined],
])('5.1 the date of an answer: %s', (_, header, read) => {
  const served = readServedDate(header, now, now);
  expect(served === undefined ? undefined : new Date(served.date).toISOString()).toBe(read);
});

test.each<[string, string, number, number]>([
  ['the same second', 'Sun, 22 Nov 2026 10:00:00 GMT', 20, 0],
  // Ahead by 3.48 s at least, 4.5 s at most.
  ['four seconds ahead', 'Sun, 22 Nov 2026 10:00:04 GMT', 20, 3_990],
  // It may have been written 2.48 s ahead.
  ['three ahead, perhaps', 'Sun, 22 Nov 2026 10:00:03 GMT', 20, 0],
  ['half a minute ahead', 'Sun, 22 Nov 2026 10:00:30 GMT', 20, 29_990],
  ['four behind', 'Sun, 22 Nov 2026 09:59:56 GMT', 20, -4_010],
  ['three behind, perhaps', 'Sun, 22 Nov 2026 09:59:57 GMT', 20, 0],
  ['ahead, but the answer took as long', 'Sun, 22 Nov 2026 10:00:08 GMT', 8_000, 0],
])('5.1 the difference is what is beyond 3 s for certain: %s', (_, header, took, difference) => {
  expect(clockDifference(at(header, took))).toBe(difference);
});

test('5.1 an answer without a date is judged by our clock', () => {
  expect(clockDifference(undefined)).toBe(0);
});
