import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deletionBackoff } from '../../src/domain/weeder/pod-ledger.ts';

describe('7.3 a deletion that fails is repeated with back-off', () => {
  test.each<[failures: number, shortest: number, longest: number]>([
    [1, 500, 1_000],
    [2, 1_000, 2_000],
    [3, 2_000, 4_000],
    [5, 8_000, 16_000],
    [6, 15_000, 30_000],
    [7, 15_000, 30_000],
    [5_000, 15_000, 30_000],
  ])('7.3 after %d failures, in %d to %d ms', (failures, shortest, longest) => {
    expect(deletionBackoff(failures, 0)).toBe(shortest);
    expect(deletionBackoff(failures, 0.999999)).toBe(longest);
  });

  test.each<[asked: number, pause: number]>([
    [0, 1_000],
    [999, 1_000],
    [1_001, 1_001],
    [45_000, 45_000],
    [60_000, 60_000],
    [3_600_000, 60_000],
  ])('7.3 Retry-After of %d ms makes a second into %d ms: never less, and a minute at most', (asked, pause) => {
    expect(deletionBackoff(1, 0.999999, asked)).toBe(pause);
  });

  test('7.3 the pause is whole, never so short as to spin, and never longer than a minute', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), chance, fc.nat(10_000_000), (failures, value, asked) => {
        const pause = deletionBackoff(failures, value, asked);
        expect(Number.isInteger(pause)).toBe(true);
        expect(pause).toBeGreaterThanOrEqual(500);
        expect(pause).toBeLessThanOrEqual(60_000);
      }),
    );
  });
});
