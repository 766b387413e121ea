import { expect, test } from 'vitest';
import { clockWords, lengthWords } from '../../src/adapters/words/plain-words.ts';

test.each<[number, string]>([
  [0, '0 s'],
  [5, '0.01 s'],
  [50, '0.05 s'],
  [410, '0.41 s'],
  [1_000, '1 s'],
  [6_260, '6.3 s'],
  [30_000, '30 s'],
  [119_949, '119.9 s'],
  [120_000, '2m00s'],
  [587_000, '9m47s'],
  [3_600_000, '1h00m'],
  [7_500_000, '2h05m'],
  [-6_300, '-6.3 s'],
  [-587_000, '-9m47s'],
])('9.7 %i ms are told as %s', (length, words) => {
  expect(lengthWords(length)).toBe(words);
});

test('9.7 a time of day is told in UTC, and never before it was', () => {
  expect(clockWords(Date.parse('2026-11-22T12:00:44.199Z'))).toBe('12:00:44.1');
});
