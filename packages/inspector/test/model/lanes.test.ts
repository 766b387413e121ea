import { describe, expect, test } from 'vitest';
import {
  limitAt,
  askedTurn,
  nearestTurn,
  spanAt,
  spansWithin,
  foldLanes,
  type LaneSpan,
  type SpanLane,
  type SpanFace,
  type Lane,
} from '../../model/timeline/lanes.ts';
import { track, type Track } from '../../model/timeline/track.ts';
import { panned, rulerStep, shortestWindow, showing, wholeWindow, zoomed } from '../../model/timeline/time-window.ts';

const face = (label: string): SpanFace => ({ tone: 'calm', label, words: label });
const text = ({ label, from, until }: LaneSpan) => `${label} ${from}–${until ?? ''}`;
const span = (label: string, from: number, until: number | null): LaneSpan => ({ ...face(label), from, until });

describe('9.7 a track keeps its spans in order', () => {
  test.each<[string, (one: Track) => void, readonly string[]]>([
    ['what is shown goes on', (one) => one.show(10, face('a')), ['a 10–']],
    [
      'the next one ends it',
      (one) => {
        one.show(10, face('a'));
        one.show(20, face('b'));
      },
      ['a 10–20', 'b 20–'],
    ],
    [
      'the same face goes on',
      (one) => {
        one.show(10, face('a'));
        one.show(20, face('a'));
      },
      ['a 10–'],
    ],
    [
      'null ends what was open',
      (one) => {
        one.show(10, face('a'));
        one.show(20, null);
        one.show(30, null);
      },
      ['a 10–20'],
    ],
    [
      'what had no time to be seen was never so, and the same before it goes on',
      (one) => {
        one.show(10, face('a'));
        one.show(20, face('b'));
        one.show(20, face('a'));
      },
      ['a 10–'],
    ],
    [
      'none begins before the one before it has ended',
      (one) => {
        one.show(10, face('a'));
        one.show(20, null);
        one.show(15, face('b'));
      },
      ['a 10–20', 'b 20–'],
    ],
    [
      'an end tells what it was',
      (one) => {
        one.show(10, face('asks'));
        one.end(12, face('answered'));
      },
      ['answered 10–12'],
    ],
    [
      'an answer in the same instant is one',
      (one) => {
        one.show(10, face('asks'));
        one.end(10, face('answered'));
      },
      ['answered 10–10'],
    ],
    ['an end of nothing is none', (one) => one.end(10, face('answered')), []],
    [
      'what has ended does not end again',
      (one) => {
        one.show(10, face('asks'));
        one.end(12, face('answered'));
        one.end(15, face('late'));
      },
      ['answered 10–12'],
    ],
  ])('%s', (_, play, expected) => {
    const one = track();
    play(one);
    expect(one.spans.map(text)).toEqual(expected);
  });
});

describe('9.7 what is seen is found by halves', () => {
  const spans = [span('a', 0, 10), span('b', 10, 20), span('c', 30, 30), span('d', 40, null)];

  test.each<[number, string | undefined]>([
    [-1, undefined],
    [0, 'a'],
    [9.9, 'a'],
    [10, 'b'],
    [20, undefined],
    [30, 'c'],
    [31, undefined],
    [40, 'd'],
    [1e9, 'd'],
  ])('at %d', (at, label) => {
    expect(spanAt(spans, at)?.label).toBe(label);
  });

  test.each<[number, number, string]>([
    [-5, -1, ''],
    [-5, 0, 'a'],
    [5, 6, 'a'],
    [10, 12, 'ab'],
    [21, 29, ''],
    [25, 35, 'c'],
    [35, 50, 'd'],
    [-5, 99, 'abcd'],
  ])('between %d and %d', (from, until, labels) => {
    const [begin, end] = spansWithin(spans, from, until);
    expect(
      spans
        .slice(begin, end)
        .map(({ label }) => label)
        .join(''),
    ).toBe(labels);
  });

  const turns = [0, 10, 10, 10, 30].map((at) => ({ turn: { at } }));
  test.each<[number, number]>([
    [-100, 0],
    [4, 0],
    [5, 0],
    [6, 3],
    [10, 3],
    [20, 3],
    [21, 4],
    [99, 4],
  ])('the turn nearest to %d is number %d', (at, index) => {
    expect(nearestTurn(turns, at)).toBe(index);
  });

  test('there is no nearest one where there is none', () => {
    expect(nearestTurn([], 5)).toBe(-1);
  });

  test.each<[number, number | undefined]>([
    [-1, 30],
    [0, 30],
    [99, 30],
    [100, 45],
    [500, 45],
  ])('the limit at %d is %d', (at, limit) => {
    const limits = [
      { at: 0, limit: 30, grace: 40 },
      { at: 100, limit: 45, grace: 60 },
    ];
    expect(limitAt(limits, at)?.limit).toBe(limit);
  });
});

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

const pod = (name: string, from: number): SpanLane => ({
  id: name,
  name,
  shows: 'pod',
  spans: [span('crash-looping', from, null)],
  under: [],
});

describe('9.7 many lanes are folded, the worst are not', () => {
  const many = ['n10', 'n2', 'n1'].map(lane);

  test.each<[string, number, readonly string[], number]>([
    ['all have room, by name', 3, ['n1', 'n2', 'n10'], 0],
    ['the worst two, by name', 2, ['n2', 'n10'], 1],
  ])('%s', (_, most, names, count) => {
    const { shown, foldedCount } = foldLanes(many, most);
    expect(shown.map(({ name }) => name)).toEqual(names);
    expect(foldedCount).toBe(count);
  });

  test('pods stand in the order in which they crash-looped', () => {
    const { shown } = foldLanes([pod('a', 3), pod('b', 1), pod('c', 1)], 3);
    expect(shown.map(({ name }) => name)).toEqual(['b', 'c', 'a']);
  });
});

describe('9.15 which turn an address asks for', () => {
  const turns = [10, 20, 20, 30].map((at, index) => ({ turn: { at, run: 'r', seq: index + 1 } }));
  test.each([
    ['none: the last', undefined, 3, null],
    ['by its name', { run: 'r', seq: 2, at: 99 }, 1, null],
    ['a name that is not there: the nearest', { run: 'other', seq: 2, at: 21 }, 2, 'nearest'],
    ['by an instant: the last one before it', { before: 21, at: 20 }, 2, null],
    ['between two: the earlier one, however near the later one is', { before: 30, at: 29 }, 2, null],
    ['before all of them: the first, and it says so', { before: 10, at: 9 }, 0, 'first'],
  ] as const)('%s', (_, asked, selected, missing) => {
    expect(askedTurn(turns, asked)).toEqual({ selected, missing });
  });
  test('of no turns there is none', () => {
    expect(askedTurn([], { before: 1, at: 0 })).toEqual({ selected: -1, missing: 'first' });
  });
});
