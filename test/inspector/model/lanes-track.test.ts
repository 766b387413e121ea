import { describe, expect, test } from 'vitest';
import {
  limitAt,
  nearestTurn,
  spanAt,
  spansWithin,
  type LaneSpan,
  type SpanFace,
} from '../../../src/inspector/model/timeline/lanes.ts';
import { track, type Track } from '../../../src/inspector/model/timeline/track.ts';

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
