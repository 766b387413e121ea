import { describe, expect, test } from 'vitest';
import { foldLanes, type Lane } from '../../../src/inspector/model/timeline/lanes.ts';
import {
  panned,
  rulerStep,
  shortestWindow,
  showing,
  wholeWindow,
  zoomed,
} from '../../../src/inspector/model/timeline/time-window.ts';

const lane = (name: string): Lane => ({ id: name, name, shows: 'pod', spans: [], under: [] });
const bounds = { from: 0, until: 100_000 };
// Of all turns, with room on both sides.
const whole = { from: -2_000, until: 102_000 };

describe('9.7 the window of time that is seen', () => {
  test('fits all turns, with room beside the first and the last', () => {
    expect(wholeWindow(bounds)).toEqual(whole);
  });

  test('one turn alone has a window, too', () => {
    const { from, until } = wholeWindow({ from: 5, until: 5 });
    expect(until - from).toBeGreaterThanOrEqual(shortestWindow);
  });

  test.each<[string, number, number, object]>([
    ['comes nearer, and what is pointed at stays', 0.5, 50_000, { from: 45_000, until: 55_000 }],
    ['at the left edge, too', 0.5, 40_000, { from: 40_000, until: 50_000 }],
    ['goes away', 2, 50_000, { from: 30_000, until: 70_000 }],
    ['no further than all there is', 100, 50_000, whole],
  ])('%s', (_, factor, about, expected) => {
    expect(zoomed({ from: 40_000, until: 60_000 }, factor, about, bounds)).toEqual(expected);
  });

  test('never comes nearer than the shortest window', () => {
    const { from, until } = zoomed({ from: 0, until: 300 }, 0.01, 150, bounds);
    expect(until - from).toBe(shortestWindow);
  });

  test.each<[string, number, object]>([
    ['later', 5_000, { from: 45_000, until: 65_000 }],
    ['not beyond the last turn', 90_000, { from: 82_000, until: 102_000 }],
    ['not before the first one', -90_000, { from: -2_000, until: 18_000 }],
  ])('pans %s', (_, by, expected) => {
    expect(panned({ from: 40_000, until: 60_000 }, by, bounds)).toEqual(expected);
  });

  test.each<[string, number, object]>([
    ['what is seen moves nothing', 50_000, { from: 40_000, until: 60_000 }],
    ['what is just beyond the edge moves as little as needed', 60_500, { from: 42_500, until: 62_500 }],
    ['before the other edge, too', 39_000, { from: 37_000, until: 57_000 }],
    ['what is far away comes to the middle', 90_000, { from: 80_000, until: 100_000 }],
  ])('%s', (_, at, expected) => {
    expect(showing({ from: 40_000, until: 60_000 }, at, bounds)).toEqual(expected);
  });

  test.each<[number, number, number]>([
    [20_000, 10, 2_000],
    [21_000, 10, 5_000],
    [300, 10, 50],
    [86_400_000, 8, 14_400_000],
  ])('a ruler of %d ms with %d marks at most has one each %d ms', (length, most, step) => {
    expect(rulerStep({ from: 0, until: length }, most)).toBe(step);
  });
});

describe('9.7 many lanes are folded, the worst are not', () => {
  const many = ['n10', 'n2', 'n1'].map(lane);

  test.each<[string, number, readonly string[], number]>([
    ['all have room, by name', 3, ['n1', 'n2', 'n10'], 0],
    ['the worst two, the worst first', 2, ['n10', 'n2'], 1],
  ])('%s', (_, most, names, count) => {
    const { shown, foldedCount } = foldLanes(many, most);
    expect(shown.map(({ name }) => name)).toEqual(names);
    expect(foldedCount).toBe(count);
  });
});
