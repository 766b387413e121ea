import { describe, expect, test } from 'vitest';
import { readMeltdownOptions } from '../hack/meltdown/meltdown-options.ts';
import { foretellFirstMark } from '../hack/meltdown/monitor-ticks.ts';
import type { Outage } from '../hack/meltdown/outage.ts';
import { changesOf } from '../hack/meltdown/shoot-state.ts';
import { marginOf, sumUp } from '../hack/meltdown/sum.ts';

const grace = 40_000;

/** A controller-manager that looked at 1,000 s, and so again at 1,005 s. */
const lookedAt = 1_000_000;

test.each([
  ['seen by the next look', 1_002_000, 1_045_000],
  ['just before a look', 1_004_990, 1_045_000],
  ['just after a look, which may have been late and seen it', 1_005_010, 1_045_000],
  ['well after a look', 1_005_100, 1_050_000],
  ['long after the last look that is known', 1_202_000, 1_245_000],
  ['long after it, where a look may be late by some ms for each before', 1_200_130, 1_240_000],
  ['before the last look that is known', 998_000, 1_040_000],
])('a mark is foretold for a renewal %s', (_, renewedAt, markAt) => {
  expect(foretellFirstMark(lookedAt, [renewedAt], grace)).toBe(markAt);
});

test('the first mark is that of the node that was seen longest ago', () => {
  expect(foretellFirstMark(lookedAt, [1_009_000, 1_002_000, 1_008_000], grace)).toBe(1_045_000);
});

const unharmed: Outage = {
  shoot: 'shoot--melt--1',
  cutAt: 0,
  thresholdAt: 25_000,
  firstWriteAt: 25_100,
  scaledAt: 25_400,
  goneAt: 25_500,
  markedAt: undefined,
  foretoldAt: 32_500,
  nodes: 5,
  marked: 0,
  backAfter: 50_000,
  changes: [],
  missedRenewals: 0,
};
const harmed: Outage = {
  ...unharmed,
  firstWriteAt: undefined,
  scaledAt: undefined,
  goneAt: undefined,
  markedAt: 32_540,
  marked: 5,
};

describe('the sum', () => {
  test('has no failure where the watched ones are unharmed and the others are not', () => {
    expect(sumUp([{ number: 1, watched: unharmed, unwatched: harmed }])).toMatchObject({
      failures: [],
      watched: { marked: 0, nodes: 5, margin: { least: 7_000, worst: 7_000 }, firstMark: undefined },
      unwatched: { marked: 5, allMarked: 1, margin: undefined, foretelling: { median: 40 } },
    });
  });

  test.each([
    ['a watched node was marked', { ...unharmed, marked: 1 }, harmed],
    ['a watched shoot did not come back', { ...unharmed, backAfter: undefined }, harmed],
    ['an unwatched one did not come back', unharmed, { ...harmed, backAfter: undefined }],
    ['there was nothing to protect from', unharmed, { ...harmed, marked: 0 }],
  ])('has one where %s', (_, watched, unwatched) => {
    expect(sumUp([{ number: 1, watched, unwatched }]).failures).toHaveLength(1);
  });

  test('has one where nobody was cut off', () => {
    expect(sumUp([]).failures).toHaveLength(1);
  });
});

test('a controller-manager that outlived the first mark has a margin below nothing', () => {
  expect(marginOf({ ...unharmed, marked: 5, markedAt: 24_000 })).toBe(-1_500);
});

test('whatever is not as before is named: changed, gone, new', () => {
  const before = new Map([
    ['same', '1'],
    ['changed', '1'],
    ['gone', '1'],
  ]);
  const after = new Map([
    ['same', '1'],
    ['changed', '2'],
    ['new', '1'],
  ]);
  expect(changesOf(before, after)).toEqual([
    'changed was 1, is 2',
    'gone was 1, is not there',
    'new was not there, is 1',
  ]);
});

test.each([
  [['--shoots', '0'], 'shoots 0'],
  [['--nodes', '1'], 'nodes 1'],
  [['--outages', 'many'], 'outages many'],
  [['--shoot', '3'], '--shoot'],
])('%j is refused, and named', (args, named) => {
  expect(readMeltdownOptions(args)).toEqual({ wrong: expect.stringContaining(named) });
});

test('there are no more shoots than outages', () => {
  expect(readMeltdownOptions(['--outages', '2'])).toMatchObject({ shoots: 2, outages: 2 });
});
