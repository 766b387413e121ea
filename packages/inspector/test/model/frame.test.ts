import { describe, expect, test } from 'vitest';
import { frameOf, windowOf } from '../../model/timeline/frame.ts';
import type { Lane, Lanes, LaneSpan } from '../../model/timeline/lanes.ts';
import { shortestWindow } from '../../model/timeline/time-window.ts';
import type { Tone } from '../../model/states.ts';

const span = (from: number, until: number | null, tone: Tone): LaneSpan => ({
  from,
  until,
  tone,
  label: '',
  words: '',
});

/** A record of 1,000 s: calm, an outage from 400 to 500 s in three states, calm, and one that goes on at its end. */
const states: readonly LaneSpan[] = [
  span(0, 400, 'calm'),
  span(400, 410, 'cutOff'),
  span(410, 490, 'down'),
  span(490, 500, 'down'),
  span(500, 900, 'calm'),
  span(900, null, 'cutOff'),
].map((one) => ({ ...one, from: one.from * 1_000, until: one.until === null ? null : one.until * 1_000 }));

/** Renewed each 10 s until `last`; expired 30 s later, as seen in that span. */
const lease = (id: string, last: number, until: number): Lane => ({
  id,
  name: id,
  shows: 'lease',
  spans: [span((last + 30) * 1_000, until * 1_000, 'cutOff')],
  ages: { renewed: [(last - 10) * 1_000, last * 1_000], seen: [last * 1_000, until * 1_000] },
});

function record(spans: readonly LaneSpan[], ...others: readonly Lane[]): Lanes {
  const state: Lane = { id: 'state', name: 'state', shows: 'state', spans, under: [] };
  return {
    first: [state, ...others.filter(({ shows }) => shows !== 'lease')],
    many: others.filter(({ shows }) => shows === 'lease'),
    limits: [],
    firstAt: 0,
    lastAt: 1_000_000,
  };
}

/** In seconds, without the margin on either side. */
const seen = (lanes: Lanes, at: number) => {
  const { from, until } = frameOf(lanes, at * 1_000)!;
  const margin = ((until - from) * 0.03) / 1.06;
  return [Math.round((from + margin) / 1_000), Math.round((until - margin) / 1_000)];
};

describe('9.15 nobody chose a part of the time: what belongs together is seen', () => {
  const lanes = record(states, lease('early', 365, 500), lease('late', 369, 500), lease('dead', 20, 1_000));

  test.each([
    ['in the outage: from the last renewal of its first late lease to its end', 405, [365, 500]],
    ['at its very end', 500, [365, 500]],
    ['a probe before it, when that lease was late already', 380, [365, 500]],
    ['in the calm before it: up to its first sign', 100, [0, 365]],
    ['in the calm behind it', 700, [500, 900]],
  ])('%s', (_, at, expected) => {
    expect(seen(lanes, at)).toEqual(expected);
  });

  test('a node that was dead for long does not draw the whole record in', () => {
    expect(frameOf(record(states, lease('dead', 20, 1_000)), 405_000)!.from).toBeGreaterThan(390_000);
  });

  test.each([
    ['until its first verdict a process that took over belongs to the outage', 30, [400, 520]],
    ['what is calm for longer behind a change of runs is another story', 90, [400, 410]],
  ])('9.11 %s', (_, calm, expected) => {
    const spans = [
      span(0, 400_000, 'calm'),
      span(400_000, 410_000, 'down'),
      span(410_000, 420_000, 'unknown'),
      span(420_000, 421_000, 'quiet'),
      span(421_000, (420 + calm) * 1_000, 'calm'),
      span((420 + calm) * 1_000, 520_000, 'down'),
      span(520_000, null, 'calm'),
    ];
    expect(seen(record(spans), 405)).toEqual(expected);
  });

  test('never the time before the record, nor behind it', () => {
    const { from, until } = frameOf(record(states), 950_000)!;
    expect(from).toBeGreaterThan(890_000);
    expect(until).toBeLessThanOrEqual(1_020_000);
    expect(frameOf(record(states), 1_000)!.from).toBeGreaterThanOrEqual(-20_000);
  });

  test('an outage that a second run of the process ended is one', () => {
    const two = [span(0, 400_000, 'calm'), span(400_000, 420_000, 'cutOff'), span(420_000, 450_000, 'unknown')];
    const ended = [...two, span(450_000, 500_000, 'down'), span(500_000, null, 'calm')];
    const { from, until } = frameOf(record(ended), 410_000)!;
    expect(from).toBeLessThan(400_000);
    expect(until).toBeGreaterThan(500_000);
  });

  test('a path, or endpoints, that failed before are its first sign', () => {
    const path: Lane = {
      id: 'external',
      name: 'external',
      shows: 'path',
      spans: [span(340_000, 500_000, 'cutOff')],
      under: [],
    };
    expect(frameOf(record(states, path), 405_000)!.from).toBeLessThan(340_000);
  });

  test('without a turn all there is; without any time nothing', () => {
    expect(frameOf(record(states), null)).toEqual({ from: -20_000, until: 1_020_000 });
    expect(frameOf({ ...record([]), firstAt: null, lastAt: null }, 5)).toBeUndefined();
  });
});

test.each([
  ['as it was chosen', { from: 100, until: 400 }, { from: 100, until: 400 }],
  ['open at its end', { from: 100, until: null }, { from: 100, until: 1_020 }],
  ['more than there is', { from: -5, until: 5_000 }, { from: -20, until: 1_020 }],
  ['too short to be seen', { from: 100, until: 101 }, { from: 100, until: 100 + shortestWindow }],
])('9.15 a range of the address is seen: %s', (_, range, expected) => {
  expect(windowOf(range, { from: 0, until: 1_000 })).toEqual(expected);
});
