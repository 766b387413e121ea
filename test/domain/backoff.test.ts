import { describe, expect, test } from 'vitest';
import { backoff, spreadBackoff } from '../../src/domain/backoff.ts';

const range = { first: 250, longest: 5_000 };

describe('back-off', () => {
  test.each([
    [1, 250],
    [2, 500],
    [5, 4_000],
    [6, 5_000],
    [10_000, 5_000],
  ])('after failure %d in a row the pause is %d ms', (failures, pause) => {
    expect(backoff(failures, range)).toBe(pause);
  });

  test('chance takes at most half of a pause away', () => {
    expect([spreadBackoff(2, range, 0), spreadBackoff(2, range, 0.5), spreadBackoff(10_000, range, 0)]).toEqual([
      250, 375, 2_500,
    ]);
  });
});
