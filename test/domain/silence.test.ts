import { expect, test } from 'vitest';
import type { ProbeFailure } from '../../src/domain/prober/probe-failure.ts';
import { crossingAfterSilence, longerSilence, type Silence } from '../../src/domain/prober/silence.ts';

const failed = (reason: ProbeFailure['reason'], stage: ProbeFailure['stage'] = 'version'): ProbeFailure => ({
  stage,
  reason,
  detail: 'no',
});

const silent = (since: number, until: number, turnedAway: Silence['turnedAway'] = null): Silence => ({
  since,
  until,
  turnedAway,
  overAt: null,
});
const once = { since: 500, until: 500 };
const turnedAway: ProbeFailure = { ...failed('unreachable'), turnedAway: true };

test.each<[string, Silence | null, ProbeFailure, Silence | null]>([
  ['nobody is reached', null, failed('unreachable'), silent(500, 500)],
  ['nobody serves there', null, turnedAway, silent(500, 500, once)],
  ['nobody serves there any more', silent(100, 200), turnedAway, silent(100, 500, once)],
  [
    'nobody serves still',
    silent(100, 200, { since: 150, until: 200 }),
    turnedAway,
    silent(100, 500, { since: 150, until: 500 }),
  ],
  ['it gave its version, and no leases', silent(100, 200), failed('timeout', 'leases'), silent(100, 500, once)],
  ['it says that it is not well', silent(100, 200), failed('refused'), silent(100, 500, once)],
  ['it had answered, and is silent again', { ...silent(100, 200), overAt: 300 }, failed('timeout'), silent(100, 500)],
  ['it answers, and refuses us', silent(100, 200), failed('unauthorized'), silent(100, 200)],
  ['we could not ask', null, failed('local'), null],
  ['the seed did not answer', null, failed('timeout', 'machines'), null],
])('9.2 how long a shoot’s API server is silent: %s', (_, silence, failure, after) => {
  expect(longerSilence(silence, 500, failure)).toEqual(after);
});

const crossing = { crossedAt: 10_000, firstMarkAt: 20_000 };
const counted = { crossedAt: 60_000, firstMarkAt: 100_000 };
const renewed = (...at: readonly (number | null)[]) => at.map((renewedAt) => ({ node: 'a', renewedAt }));

test.each<[string, Silence | null, ReturnType<typeof renewed>, typeof crossing]>([
  ['after a silence a controller-manager counts anew', silent(0, 60_000), renewed(-1_000, null), counted],
  ['it did not lose its lead in so short a one', silent(51_000, 60_000), renewed(-1_000), crossing],
  ['there was none', null, renewed(-1_000), crossing],
  ['a renewal shows that only our way was out', silent(0, 60_000), renewed(-1_000, 30_000), crossing],
  ['one about its begin shows nothing: clocks differ', silent(0, 60_000), renewed(-1_000, 2_900), counted],
  ['one after its end shows nothing', silent(0, 60_000), renewed(-1_000, 61_000), counted],
])('9.2 what could not be renewed is not counted: %s', (_, silence, leases, expected) => {
  expect(crossingAfterSilence(crossing, silence, leases, 40_000)).toEqual(expected);
});
