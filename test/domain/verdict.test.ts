import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NodeLease } from '../../src/domain/prober/node-lease.ts';
import type { Instant } from '../../src/domain/time.ts';
import {
  expiresAt,
  isBlind,
  isExpired,
  judgeLeases,
  nextCrossing,
  noneCounts,
} from '../../src/domain/prober/verdict.ts';

const grace = 40_000;
const now = 1_000_000;
const policy = { grace, failureFraction: 0.6 };

const lease = (renewedAt: Instant | null, node = 'a'): NodeLease => ({ node, renewedAt });
const renewed = (...ages: (number | null)[]): NodeLease[] =>
  ages.map((age, index) => lease(age === null ? null : now - age, `node-${index}`));
const fresh = 29_999;
const expired = 30_000;

describe('5.1 when a lease is expired', () => {
  test.each<[number, number, boolean]>([
    [40_000, 29_999, false],
    [40_000, 29_999.999, false],
    [40_000, 30_000, true],
    [40_000, 30_001, true],
    [50_000, 37_499, false],
    [50_000, 37_500, true],
    [1, 0.5, false],
    [1, 0.75, true],
  ])('5.1 at a grace of %d ms, %d ms after it was renewed: %s', (length, age, yes) => {
    expect(isExpired(lease(now - age), now, length)).toBe(yes);
  });

  test('5.1 the instant is three quarters of the grace after the renewal', () => {
    expect(expiresAt(now, grace)).toBe(now + 30_000);
  });

  test('5.1 a lease from the future is fresh, one without a time is not expired', () => {
    expect(isExpired(lease(now + 3_600_000), now, grace)).toBe(false);
    expect(isExpired(lease(null), now, grace)).toBe(false);
  });
});

describe('5.3 the verdict', () => {
  test.each<[string, (number | null)[], string, number, number]>([
    ['no candidate', [], 'connected', 0, 0],
    ['one fresh', [fresh], 'tooFew', 0, 1],
    ['one expired', [expired], 'tooFew', 1, 1],
    ['none readable of one', [null], 'tooFew', 0, 0],
    ['none readable of many', [null, null, null], 'tooFew', 0, 0],
    ['one readable of many, expired', [null, expired, null], 'tooFew', 1, 1],
    ['two fresh', [fresh, fresh], 'connected', 0, 2],
    ['one of two expired, half', [fresh, expired], 'connected', 1, 2],
    ['two of two expired', [expired, expired], 'cutOff', 2, 2],
    ['unreadable ones are not counted for', [expired, expired, null, null, null], 'cutOff', 2, 2],
    ['unreadable ones are not counted against', [expired, fresh, null, null, null], 'connected', 1, 2],
    ['three of five, just the fraction', [expired, expired, expired, fresh, fresh], 'cutOff', 3, 5],
    ['two of five', [expired, expired, fresh, fresh, fresh], 'connected', 2, 5],
    ['one dead long ago, the others fresh', [9_000_000, fresh, fresh], 'connected', 1, 3],
  ])('5.3 %s: %s is %s', (_, ages, kind, expiredCount, candidates) => {
    expect(judgeLeases(renewed(...ages), now, policy)).toMatchObject({ kind, expired: expiredCount, candidates });
  });

  test.each<[number, number, number]>([
    [0.7, 10, 7],
    [0.6, 5, 3],
    [0.57, 100, 57],
    [0.07, 100, 7],
    [0.29, 100, 29],
    [1, 3, 3],
    [0.01, 3, 1],
    [0.501, 2, 2],
    [0.5, 2, 1],
    [1 / 3, 3, 1],
    // One more bit than a third: 1 ÷ 3 stays below it, though 3 × it is rounded to 1.
    [0.3333333333333334, 3, 2],
  ])('5.3 a fraction of %d of %d leases needs %d of them', (failureFraction, total, needed) => {
    const ages = (count: number) => renewed(...Array.from({ length: total }, (_, i) => (i < count ? 30_000 : 0)));
    expect(judgeLeases(ages(needed), now, { grace, failureFraction }).kind).toBe('cutOff');
    expect(judgeLeases(ages(needed - 1), now, { grace, failureFraction }).kind).toBe('connected');
  });

  test('5.3 9.2 a cut-off says when the threshold was crossed and when the first node would be marked', () => {
    const verdict = judgeLeases(renewed(38_000, 33_000, 31_000, 30_500, 12_000), now, policy);
    expect(verdict).toMatchObject({ kind: 'cutOff', crossedAt: now - 1_000, firstMarkAt: now - 38_000 + grace });
  });
});

describe('4.6 the next crossing', () => {
  test.each<[string, (number | null)[], number | undefined]>([
    ['of five leases it is when the third expires', [0, 1_000, 2_000, 3_000, 4_000], now + 28_000],
    ['with two expired already it is the third', [50_000, 50_000, 10_000, 5_000, 0], now + 20_000],
    ['none where the threshold is met', [50_000, 50_000, 50_000, 0, 0], undefined],
    ['none where it is met this instant', [50_000, 50_000, 30_000, 0, 0], undefined],
    ['none over one lease', [0], undefined],
    ['none where only one can be read', [0, null, null], undefined],
    ['none without leases', [], undefined],
  ])('4.6 %s', (_, ages, at) => {
    expect(nextCrossing(renewed(...ages), now, policy)).toBe(at);
  });

  test('4.6 5.3 it is the very instant at which the verdict turns, whatever fraction and leases', () => {
    const ages = fc.array(fc.nat(60_000), { minLength: 2, maxLength: 60 });
    const judging = ages.chain((all) => fc.tuple(fc.constant(all), fractionOf(all.length)));
    fc.assert(
      fc.property(judging, ([all, failureFraction]) => {
        const judged = { grace, failureFraction };
        const leases = renewed(...all);
        const crossing = nextCrossing(leases, now, judged);
        // Where it is met by now there is none to come; else the verdict turns at it, and not before.
        expect(judgeLeases(leases, (crossing ?? -Infinity) - 1, judged).kind).toBe('connected');
        expect(judgeLeases(leases, crossing ?? now, judged)).toMatchObject({
          kind: 'cutOff',
          ...(crossing === undefined ? {} : { crossedAt: crossing }),
        });
      }),
      // A third and one bit: three times it is rounded to 1, yet one of three stays below it.
      { numRuns: 500, examples: [[[[31_086, 1_322, 13_637], 0.33333333333333337]]] },
    );
  });
});

/** As percentages, anything at all, and one bit above or below a share that so many leases can have. */
function fractionOf(total: number): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100),
    fc.double({ min: 0.001, max: 1, noNaN: true }),
    fc
      .tuple(fc.integer({ min: 1, max: total }), fc.constantFrom(1 - Number.EPSILON, 1, 1 + Number.EPSILON))
      .map(([count, nearly]) => Math.min(1, (count / total) * nearly)),
  );
}

describe('5.9 nodes that count, and have no lease', () => {
  test.each<[string, expired: number, fresh: number, missing: number, kind: string]>([
    ['none has one', 0, 0, 5, 'unjudged'],
    ['a single node has none', 0, 0, 1, 'unjudged'],
    ['most have none, and the others are fresh', 0, 2, 18, 'unjudged'],
    ['most have none, and the others are expired', 2, 0, 18, 'unjudged'],
    ['a share below the threshold', 0, 3, 4, 'connected'],
    ['a share at the threshold', 0, 2, 3, 'unjudged'],
    ['missing and expired together are a share at the threshold', 1, 2, 2, 'unjudged'],
    ['missing and expired together are below it', 1, 3, 1, 'connected'],
    ['the expired alone are enough', 6, 0, 4, 'cutOff'],
    ['the expired alone are not enough', 5, 1, 4, 'unjudged'],
    ['one of two, and it is fresh', 0, 1, 1, 'connected'],
    ['one lease, and it is expired', 1, 0, 1, 'unjudged'],
    ['there is no such node', 0, 0, 0, 'connected'],
  ])('5.9 S7 %s: %i expired, %i fresh, %i missing', (_, old, young, missing, kind) => {
    const leases = renewed(...Array<number>(old).fill(expired), ...Array<number>(young).fill(fresh));
    expect(judgeLeases(leases, now, policy, missing)).toMatchObject({ kind, expired: old, candidates: old + young });
  });

  test('5.9 what is missing does not say that the nodes are reached', () => {
    expect(judgeLeases([], now, policy, 5)).toMatchObject({ kind: 'unjudged', reached: false });
  });

  test('5.9 the threshold is met once the expired leases are enough of all', () => {
    const leases = renewed(50_000, 40_000, 31_000);
    expect(judgeLeases(leases, now, policy, 2)).toMatchObject({ kind: 'cutOff', crossedAt: now - 1_000 });
  });
});

test('5.8 of leases that cannot be read all but two may be: those two decide', () => {
  const looked = { nodes: 5, counting: 5 };
  expect(isBlind(looked, renewed(null, null, null, fresh, fresh), policy)).toBe(false);
  expect(isBlind(looked, renewed(null, null, null, null, fresh), policy)).toBe(true);
  expect(isBlind({ nodes: 1, counting: 1 }, renewed(null), policy)).toBe(false);
});

test.each<[nodes: number, counting: number, candidates: number, none: boolean, blind: boolean]>([
  [0, 0, 0, false, false],
  [1, 0, 0, false, false],
  [2, 0, 0, true, true],
  [2, 0, 2, true, true],
  [9, 1, 0, false, true],
  [9, 1, 1, false, false],
  [5, 5, 2, false, true],
  [5, 5, 3, false, false],
])(
  '5.8 of %i nodes %i count, and %i have a lease: none counts %s, blind %s',
  (nodes, counting, leases, none, blind) => {
    expect(noneCounts({ nodes, counting })).toBe(none);
    expect(isBlind({ nodes, counting }, renewed(...Array<number>(leases).fill(fresh)), policy)).toBe(blind);
  },
);
