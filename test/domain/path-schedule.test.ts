import { expect, test } from 'vitest';
import { firstMarkAfter, pathPatience, pauseWhileCounting } from '../../src/domain/prober/shoot-path.ts';

test.each([
  ['an eighth of the grace', 30_000, 40_000, 5_000],
  ['less where the configuration says less', 2_000, 40_000, 2_000],
  ['more in a shoot with a longer grace of its own', 30_000, 120_000, 15_000],
])('4.9 both paths have one deadline: %s', (_, probeTimeout, grace, patience) => {
  expect(pathPatience(probeTimeout, grace)).toBe(patience);
});

test.each([
  [10_000, 3_333],
  [30_000, 10_000],
  [20_000, 6_667],
  [2_000, 1_000],
  [500, 500],
])('4.9 while failures are counted, an interval of %i ms becomes %i', (interval, pause) => {
  expect(pauseWhileCounting(interval)).toBe(pause);
});

test('4.9 three time-outs in a row fit before the first mark, whenever between two probes and two renewals the path breaks', () => {
  const [interval, jitter, grace, threshold] = [10_000, 0.2, 40_000, 3];
  const patience = pathPatience(30_000, grace);
  const askedAt = 1_000_000;
  // The path broke right after it had answered, and each of the questions from then on runs into its deadline.
  const firstAt = askedAt + interval * (1 + jitter);
  const pause = Math.max(patience, pauseWhileCounting(interval));
  const decidedAt = firstAt + (threshold - 1) * pause + patience;
  expect(decidedAt).toBeLessThanOrEqual(firstMarkAfter(askedAt, firstAt, grace));
});

test.each([
  ['a renewal before the path last carried, and a grace later', 1_000_000, 1_010_000, 1_030_000],
  ['as well where it failed just within a grace', 1_000_000, 1_039_999, 1_030_000],
  [
    'a renewal before the first failure, where the path was last seen to carry a grace ago',
    1_000_000,
    1_040_000,
    1_070_000,
  ],
  ['the same where it never was', null, 1_040_000, 1_070_000],
])('4.9 the first mark comes at the earliest %s', (_, carriedAt, failedAt, firstMarkAt) => {
  expect(firstMarkAfter(carriedAt, failedAt, 40_000)).toBe(firstMarkAt);
});
