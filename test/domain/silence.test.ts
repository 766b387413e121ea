import { expect, test } from 'vitest';
import type { ProbeFailure } from '../../src/domain/prober/probe-failure.ts';
import { crossingAfterSilence, longerSilence, type Silence } from '../../src/domain/prober/silence.ts';

const failed = (reason: ProbeFailure['reason'], stage: ProbeFailure['stage'] = 'version'): ProbeFailure => ({
  stage,
  reason,
  detail: 'no',
});

test.each<[string, Silence | null, ProbeFailure, Silence | null]>([
  ['nobody answers', null, failed('unreachable'), { since: 500, until: 500 }],
  ['nobody answers again', { since: 100, until: 200 }, failed('timeout', 'leases'), { since: 100, until: 500 }],
  ['it says that it is not well', { since: 100, until: 200 }, failed('refused', 'leases'), { since: 100, until: 500 }],
  ['it answers, and refuses us', { since: 100, until: 200 }, failed('unauthorized'), { since: 100, until: 200 }],
  ['we could not ask', null, failed('local'), null],
  ['the seed did not answer', null, failed('timeout', 'machines'), null],
])('9.2 how long a shoot’s API server is silent: %s', (_, silence, failure, after) => {
  expect(longerSilence(silence, 500, failure)).toEqual(after);
});

const crossing = { crossedAt: 10_000, firstMarkAt: 20_000 };
const counted = { crossedAt: 60_000, firstMarkAt: 100_000 };
const renewed = (...at: readonly (number | null)[]) => at.map((renewedAt) => ({ node: 'a', renewedAt }));

test.each<[string, Silence | null, ReturnType<typeof renewed>, typeof crossing]>([
  ['after a silence a controller-manager counts anew', { since: 0, until: 60_000 }, renewed(-1_000, null), counted],
  ['it did not lose its lead in so short a one', { since: 51_000, until: 60_000 }, renewed(-1_000), crossing],
  ['there was none', null, renewed(-1_000), crossing],
  ['a renewal shows that only our way was out', { since: 0, until: 60_000 }, renewed(-1_000, 30_000), crossing],
  ['one after its end shows nothing', { since: 0, until: 60_000 }, renewed(-1_000, 61_000), counted],
])('9.2 what could not be renewed is not counted: %s', (_, silence, leases, expected) => {
  expect(crossingAfterSilence(crossing, silence, leases, 40_000)).toEqual(expected);
});
