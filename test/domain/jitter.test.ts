import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawChance, jittered, seedOfChance } from '../../src/domain/backoff.ts';

test.each<[number, number, number, number]>([
  [30_000, 0.2, 0, 30_000],
  [30_000, 0.2, 0.5, 33_000],
  [30_000, 0.2, 0.999999, 36_000],
  [30_000, 0, 0.7, 30_000],
  [30_000, 1, 0.5, 45_000],
  [0, 1, 0.5, 0],
  [1, 0.2, 0.1, 2],
])('2 %d ms with factor %d at chance %d become %d ms', (length, factor, value, result) => {
  expect(jittered(length, factor, value)).toBe(result);
});

test('2 jitter only lengthens, by the factor at most, to whole milliseconds', () => {
  fc.assert(
    fc.property(
      fc.nat(3_600_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (length, factor, value) => {
        const result = jittered(length, factor, value);
        expect(Number.isInteger(result)).toBe(true);
        expect(result).toBeGreaterThanOrEqual(length);
        expect(result).toBeLessThanOrEqual(Math.ceil(length * (1 + factor)));
      },
    ),
  );
});

const draw = (seed: number, count: number) => {
  const values: number[] = [];
  for (let rest = seed; values.length < count;) {
    const drawn = drawChance(rest);
    values.push(drawn.value);
    rest = drawn.rest;
  }
  return values;
};

test('L3 the same chance draws the same values, in [0, 1) and all over it', () => {
  for (const seed of [0, 1, 2 ** 31, 2 ** 32 - 1]) {
    const values = draw(seed, 1_000);
    expect(draw(seed, 1_000)).toEqual(values);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    const tenths = new Set(values.map((value) => Math.floor(value * 10)));
    expect(tenths.size).toBe(10);
    expect(new Set(values).size).toBeGreaterThan(990);
  }
});

test('L3 they are those of mulberry32, by which the journals of other versions are replayed', () => {
  const drawn = draw(0, 3).map((value) => value * 2 ** 32);
  expect(drawn).toEqual([1_144_304_738, 1_416_247, 958_946_056]);
});

test.each([
  [0, 0],
  [0.5, 2 ** 31],
  [1 - 2 ** -32, 2 ** 32 - 1],
])('L3 the chance %d leads to the seed %d', (value, seed) => {
  expect(seedOfChance(value)).toBe(seed);
});
