import { describe, expect, test } from 'vitest';
import { burstsOf, instantOf, shareOf, timeScale } from '../../model/timeline/time-scale.ts';

const window = { from: 0, until: 500_000 };
/** The weeder's way: a service is back, and 40 ms later three pods are deleted. */
const weeding = [200_000, 200_010, 200_020, 200_040];

const shifted = (by: number, count: number) => weeding.slice(0, count).map((at) => at + by);

describe('9.15 a burst opens by itself', () => {
  test.each([
    ['the weeder’s 40 ms', [1_000, ...weeding, 400_000], [[199_995.2, 200_044.8]]],
    ['two turns are none', [200_000, 200_010], []],
    ['at one instant there is nothing to open', [7, 7, 7, 7], []],
    ['what is wide by itself stays as it is', Array.from({ length: 60 }, (_, index) => index * 1_000), []],
    ['what is not seen is not opened', weeding.map((at) => at + 500_000), []],
  ])('%s', (_, instants, expected) => {
    expect(burstsOf(instants, window).map(({ from, until }) => [from, until])).toEqual(expected);
  });

  test('of many the two with the most turns, in the order of their time', () => {
    const bursts = burstsOf([...shifted(0, 4), ...shifted(50_000, 3), ...shifted(90_000, 4)], window);
    expect(bursts.map(({ from }) => Math.round(from / 10_000))).toEqual([20, 29]);
  });

  test('it fills a good part of the width, and all else keeps its proportions', () => {
    const scale = timeScale(window, burstsOf(weeding, window));
    expect(shareOf(scale, 200_040) - shareOf(scale, 200_000)).toBeGreaterThan(0.15);
    expect(shareOf(scale, 100_000) / shareOf(scale, 50_000)).toBeCloseTo(2);
    expect([shareOf(scale, window.from), shareOf(scale, window.until)]).toEqual([0, 1]);
    expect(shareOf(scale, -50_000)).toBeLessThan(0);
  });

  test('what is left of the width is shared by what is left of the time', () => {
    const scale = timeScale({ from: 0, until: 1_000 }, [{ from: 100, until: 500 }]);
    expect(shareOf(scale, 100)).toBeCloseTo(shareOf(scale, 600) - shareOf(scale, 500));
  });

  test('without one the axis is even', () => {
    expect(timeScale(window, [])).toEqual([{ ...window, begin: 0, end: 1, opened: false }]);
  });

  test('a place on it is an instant, and comes back to it', () => {
    const scale = timeScale(window, burstsOf(weeding, window));
    for (const at of [0, 123_456, 199_999, 200_017, 200_044, 400_000, 500_000])
      expect(instantOf(scale, shareOf(scale, at))).toBeCloseTo(at, 3);
  });
});
