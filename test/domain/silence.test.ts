import { expect, test } from 'vitest';
import type { SeenLease } from '../../src/domain/prober/node-lease.ts';
import type { ProbeFailure } from '../../src/domain/prober/probe-failure.ts';
import {
  crossingAfterSilence,
  perhapsUntil,
  silenceAfter,
  silenceBefore,
  usualWait,
  type Silence,
} from '../../src/domain/prober/silence.ts';

const failed = (reason: ProbeFailure['reason'], stage: ProbeFailure['stage'] = 'version'): ProbeFailure => ({
  stage,
  reason,
  detail: 'no',
});

/** Asked at 500, after an answer that was asked for at 50. */
const first: Silence = { since: 50, from: 500, to: 500, foundAwayAt: null, overAt: null };
const begun: Silence = { since: 50, from: 100, to: 200, foundAwayAt: null, overAt: null };
const over: Silence = { ...begun, overAt: 300 };
const turnedAway: ProbeFailure = { ...failed('unreachable'), turnedAway: true };

test.each<[string, Silence | null, ProbeFailure, Silence | null]>([
  ['nobody is reached', null, failed('unreachable'), first],
  ['nobody serves there', null, turnedAway, { ...first, foundAwayAt: 500 }],
  ['it goes on', begun, failed('timeout'), { ...begun, to: 500 }],
  ['it gave its version, and no leases', begun, failed('timeout', 'leases'), { ...begun, to: 500, foundAwayAt: 500 }],
  ['it says that it is not well', begun, failed('refused'), { ...begun, to: 500, foundAwayAt: 500 }],
  ['it had answered, and is silent again: another one', over, failed('timeout'), first],
  ['it refuses us, which is an answer', begun, failed('unauthorized'), { ...begun, overAt: 600 }],
  ['it asks to be left alone', begun, failed('throttled'), { ...begun, overAt: 600 }],
  ['it answers what is no list', begun, failed('garbled', 'leases'), { ...begun, overAt: 600 }],
  ['it answers again', over, failed('throttled'), over],
  ['we could not ask', begun, failed('local'), begun],
  ['the seed did not answer', null, failed('timeout', 'machines'), null],
])('5.1 how long a shoot’s API server is silent: %s', (_, silence, failure, after) => {
  expect(silenceAfter(silence, failure, { askedAt: 500, at: 600 }, 50)).toEqual(after);
});

const slow: Silence = { since: 50, from: 500, to: 500, foundAwayAt: 500, overAt: 4_000 };

test.each<[string, Silence | null, number, number | null, Silence | null]>([
  ['an answer ends it', begun, 0, 0, { ...begun, overAt: 4_000 }],
  ['for good', over, 0, 0, over],
  ['leases that came with the version, however late', null, 100, 0, null],
  ['leases that took long after the version: nobody could renew before', null, 3_000, 0, slow],
  ['the same at a first look', null, 3_000, null, { ...slow, since: null }],
  ['a server that always answers that slowly', null, 4_000, 4_000, null],
  ['one that took that much longer than it does', null, 7_000, 4_000, slow],
  ['one that failed before', begun, 3_000, 0, { ...begun, to: 500, foundAwayAt: 500, overAt: 4_000 }],
])('5.1 the silence before an answer: %s', (_, silence, waited, before, after) => {
  const answer = { askedAt: 500, at: 4_000 };
  expect(silenceBefore(silence, answer, waited, before === null ? null : { askedAt: 50, waited: before })).toEqual(
    after,
  );
});

test.each<[waited: number, before: number | null, usual: number]>([
  [0, null, 0],
  [4_000, null, 4_000],
  [0, 3_200, 1_600],
  [3_200, 1_600, 3_200],
  // It waited for etcd, which may be away again.
  [0, 30_000, 3_000],
])('5.1 a list that took %i ms, after some that usually took %s: %i are usual then', (waited, before, usual) => {
  expect(usualWait(waited, before === null ? null : { waited: before })).toBe(usual);
});

const crossing = { crossedAt: 10_000, firstMarkAt: 20_000 };
const counted = { crossedAt: 60_000, firstMarkAt: 100_000 };
const silent = (from: number, since: number | null = from): Silence => ({
  since,
  from,
  to: 60_000,
  foundAwayAt: 60_000,
  overAt: 60_500,
});
const renewed = (...at: readonly (number | null)[]) => at.map((renewedAt) => ({ node: 'a', renewedAt }));

test.each<[string, Silence | null, ReturnType<typeof renewed>, typeof crossing]>([
  ['after a silence a controller-manager counts anew', silent(0), renewed(-1_000, null), counted],
  ['it did not lose its lead in so short a one', silent(51_000), renewed(-1_000), crossing],
  ['nobody knows since when it was silent', silent(51_000, null), renewed(-1_000), counted],
  ['there was none', null, renewed(-1_000), crossing],
  ['a renewal shows that only our own way was out', silent(0), renewed(-1_000, 30_000), crossing],
  ['one about its begin shows nothing: clocks differ', silent(0), renewed(-1_000, 2_900), counted],
  ['one after its end shows nothing', silent(0), renewed(-1_000, 61_000), counted],
])('9.2 what could not be renewed is not counted: %s', (_, silence, leases, expected) => {
  expect(crossingAfterSilence(crossing, silence, leases, 40_000)).toEqual(expected);
});

const grace = 40_000;
const known = { shownAt: 100, clock: { least: 0, most: 0 } };
const unseen = { shownAt: 100, clock: { least: 0 } };
/** Over at 100: the answer that was asked for at 0. */
const away: Silence = { since: -37_000, from: -35_000, to: -5_000, foundAwayAt: -5_000, overAt: 100 };
const unreached = { ...away, foundAwayAt: null };

test.each<[string, Silence | null, Partial<SeenLease>, number, number | undefined]>([
  ['first seen, and older than a controller-manager lets pass', null, { ...unseen, renewedAt: -51_000 }, 0, 12_100],
  ['the same 12 s later', null, { ...unseen, renewedAt: -51_000 }, 12_100, undefined],
  ['first seen, and not so old: there may be time left', null, { ...unseen, renewedAt: -49_000 }, 0, undefined],
  ['first seen, and fresh if its clock is right', null, { ...unseen, renewedAt: -5_000 }, 0, 12_100],
  ['the same, and it stands: by its own time it is fresh', null, { ...unseen, renewedAt: -5_000 }, 12_100, 25_000],
  ['seen to move', null, { ...known, renewedAt: -51_000 }, 0, undefined],
  [
    'it does not fit what was known of its kubelet’s clock',
    null,
    { ...known, renewedAt: -31_000, odd: true },
    0,
    12_100,
  ],
  ['unreadable', null, { renewedAt: null }, 0, undefined],
  ['old by one clock, and fresh by another', null, { ...known, renewedAt: 0, notBefore: -31_000 }, 0, 12_100],
  ['the same, and it stands', null, { ...known, renewedAt: -10_000, notBefore: -41_000 }, 13_000, 20_000],
  ['fresh by either', null, { ...known, renewedAt: 0, notBefore: -29_000 }, 0, undefined],
  ['nobody could renew it', away, { ...known, renewedAt: -38_000 }, 0, 12_100],
  ['12 s after the return', away, { ...known, renewedAt: -38_000 }, 12_100, undefined],
  [
    'it was renewed in the silence, and the server is found away after that',
    away,
    { ...known, renewedAt: -31_000 },
    0,
    12_100,
  ],
  [
    'it was renewed after that: only our own way was out',
    { ...away, foundAwayAt: -35_000 },
    { ...known, renewedAt: -31_000 },
    0,
    undefined,
  ],
  ['away too shortly', { ...away, since: -9_000 }, { ...known, renewedAt: -38_000 }, 0, undefined],
  ['nobody was reached: there may be time left', unreached, { ...known, renewedAt: -38_000 }, 0, undefined],
  ['nobody was reached, and no time is left', unreached, { ...known, renewedAt: -51_000 }, 0, 12_100],
])('5.1 when it is known whether a lease is old: %s', (_, silence, lease, askedAt, endsAt) => {
  const bounds = lease.clock?.most === undefined ? {} : { notBefore: lease.renewedAt ?? 0 };
  const one: SeenLease = { node: 'a', renewTime: 0, renewedAt: 0, ...bounds, ...lease };
  expect(perhapsUntil(one, { askedAt, grace, silence })).toBe(endsAt);
});
