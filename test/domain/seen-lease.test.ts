import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seeLeases, type SeenLease } from '../../src/domain/prober/node-lease.ts';

type Before = Readonly<{ lease: Partial<SeenLease> | null; askedAt: number }> | null;

/** The lease of one node, in an answer that is received at `at`, of a server that is ahead by so much for certain. */
function see(renewTime: number | null, before: Before, { at = 20_000, ahead = 0 } = {}): SeenLease {
  const leases = before?.lease ? [{ node: 'a', renewedAt: null, renewTime: null, ...before.lease }] : [];
  const served = { date: at + ahead - 500, sentAt: at, receivedAt: at };
  const answer = { at, ...(ahead === 0 ? {} : { served }) };
  return seeLeases([{ node: 'a', renewedAt: renewTime }], answer, before && { leases, askedAt: before.askedAt })[0]!;
}

const stood = { renewedAt: 1_000, notBefore: 1_000, renewTime: 1_000, shownAt: 2_000, clock: { least: -1_000 } };
const right = { ...stood, shownAt: 1_500, clock: { least: -500 } };
/** Renewed by a kubelet that is a day ahead. */
const day = 86_400_000;
const dayAhead = { renewTime: day + 2_000, shownAt: 2_000, clock: { least: day, most: day + 1_000 } };
/** A renewal that was held up, or of a clock that was set back. */
const odd = {
  renewTime: 11_200,
  renewedAt: 11_200,
  shownAt: 34_000,
  clock: { least: -22_800, most: 500 },
  odd: true,
} as const;

const round = (one: number | null | undefined) => (typeof one === 'number' ? Math.round(one) : one);

/** When it was renewed at the earliest, and at the latest. */
type Bounds = readonly [notBefore: number | undefined, renewedAt: number | null];

test.each<[string, number | null, Before, Bounds, Readonly<{ at?: number; ahead?: number }>?]>([
  ['seen for the first time: as it says, or its clock is ahead', 1_000, null, [undefined, 1_000]],
  [
    'seen first, and old by the server’s clock alone: by one or the other',
    10_000,
    null,
    [undefined, 10_000],
    { ahead: 30_000 },
  ],
  [
    'seen first, and old by our clock alone: by one or the other',
    -20_000,
    null,
    [undefined, 10_000],
    { ahead: -30_000 },
  ],
  ['of the future by our clock: by the server’s', 45_000, null, [undefined, 15_000], { ahead: 30_000 }],
  ['of the future by both: nobody knows since when', day, null, [undefined, 20_000], { ahead: 30_000 }],
  [
    'standing still: as before, whoever’s clock says what',
    1_000,
    { lease: stood, askedAt: 5_000 },
    [1_000, 1_000],
    { ahead: 60_000 },
  ],
  ['moved on: as it says', 9_000, { lease: stood, askedAt: 5_000 }, [9_000, 9_000]],
  [
    'moved on by a clock that is behind: after the question before',
    11_500,
    { lease: { ...stood, clock: { least: -30_000 } }, askedAt: 38_000 },
    [38_000, 39_000],
    { at: 40_000 },
  ],
  ['of a node that is new: as it says', 1_000, { lease: null, askedAt: 5_000 }, [undefined, 1_000]],
  ['gone back, which proves nothing: as it says', 500, { lease: stood, askedAt: 15_000 }, [500, 500]],
  ['unreadable', null, { lease: stood, askedAt: 15_000 }, [undefined, null]],
  ['readable again', 2_000, { lease: {}, askedAt: 15_000 }, [undefined, 2_000]],
  ['ahead by less than clocks may differ: before it was received', 22_000, null, [undefined, 20_000]],
  [
    'moved on by a clock that is a day ahead: by what is known of it',
    day + 16_500,
    { lease: dayAhead, askedAt: 5_000 },
    [15_320, 16_000],
  ],
  [
    'moved on by a clock that may be right, or far behind: its lease never looked young',
    10_000,
    { lease: { ...stood, renewTime: 0, clock: { least: -30_000, most: 500 } }, askedAt: 0 },
    [9_220, 27_000],
    { at: 30_000 },
  ],
  [
    'held up, of a clock that is known to be right: as it says',
    11_200,
    { lease: right, askedAt: 24_000 },
    [11_200, 11_200],
    { at: 34_000 },
  ],
  [
    'held up once more: its clock stood still for a while',
    21_200,
    { lease: odd, askedAt: 44_000 },
    [44_000, 44_100],
    { at: 54_000 },
  ],
  [
    'written too soon after the one before: as it says, until it moves again',
    8_000,
    { lease: right, askedAt: 24_000 },
    [8_000, 8_000],
    { at: 34_000 },
  ],
])('5.1 a lease on our clock: %s', (_, renewTime, before, [notBefore, renewedAt], answer) => {
  const lease = see(renewTime, before, answer);
  expect(lease).toMatchObject({ node: 'a', renewTime });
  expect([round(lease.notBefore), round(lease.renewedAt)]).toEqual([notBefore, renewedAt]);
});

/** Its kubelet's clock was known, and it stood since before the last answer, which was asked for then. */
const known = (renewTime: number, least: number, most: number, askedAt = 0): Before => ({
  lease: { renewTime, shownAt: -1_000, clock: { least, most } },
  askedAt,
});
const ahead25 = known(12_000, 25_000, 25_500);

test.each<[string, number, Before, Readonly<{ odd?: true }>, number?]>([
  ['a renewal that fits', 18_000, known(-1_000, -500, 500), {}],
  ['written before the last answer, which did not have it', -8_000, known(-20_000, -500, 500), { odd: true }],
  ['written too soon after the one before: its clock was set back', 4_000, known(-2_000, -500, 500), { odd: true }],
  ['older than it was: the shoot was restored', -60_000, known(-2_000, -500, 500), { odd: true }],
  ['of a clock that was ahead, and may have been put right', 19_000, ahead25, { odd: true }],
  ['of one that is ahead still', 43_000, ahead25, {}],
  [
    'of one that is ahead still, or was put right: nobody saw it for long',
    18_000,
    known(2_000, 15_000, 15_500),
    { odd: true },
  ],
  ['of one that is ahead still, and was asked for just now', 18_000, known(2_000, 6_000, 6_500, 9_000), {}],
])('5.1 what does not fit is odd: %s', (_, renewTime, before, { odd }) => {
  expect(see(renewTime, before).odd).toBe(odd);
});

test('5.1 what does not fit widens what is known of a clock to both, and the next renewal narrows it', () => {
  const back = see(-6_000, known(-20_000, -500, 500));
  expect(back.clock).toEqual({ least: -26_000, most: 710 });
  const next = see(4_000, { lease: back, askedAt: 20_000 }, { at: 30_000 });
  expect(next).toMatchObject({ clock: { least: -26_000, most: -16_000 }, notBefore: 20_000 });
  expect(next.odd).toBeUndefined();
});

/** Renewals of a kubelet whose clock is off by `off`, and answers, each `took` after it was asked, of servers whose clocks are anyhow. */
const life = fc.record({
  off: fc.oneof(
    fc.constant(0),
    fc.integer({ min: -86_400_000, max: -40_000 }),
    fc.integer({ min: 15_000, max: 86_400_000 }),
  ),
  phase: fc.integer({ min: 0, max: 9_999 }),
  late: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 120, maxLength: 120 }),
  pauses: fc.array(fc.integer({ min: 250, max: 36_000 }), { minLength: 12, maxLength: 30 }),
  ahead: fc.array(fc.constantFrom(0, 0, 0, 25_000, -60_000), { minLength: 30, maxLength: 30 }),
  took: fc.integer({ min: 1, max: 500 }),
});

/** Of the answers that show it as it was. */
const withoutCount = (lease: SeenLease | undefined) => JSON.stringify({ ...lease, stands: 0 });

test('5.1 whatever clocks say, a lease was renewed within its bounds, and one that stands gets no younger', () => {
  fc.assert(
    fc.property(life, ({ off, phase, late, pauses, ahead, took }) => {
      const renewals: number[] = [];
      for (let at = phase - 20_000, index = 0; at < 1_200_000; index++) {
        renewals.push(at);
        at += 10_000 + late[index % late.length]!;
      }
      let before: { leases: readonly SeenLease[]; askedAt: number } | null = null;
      let asked = 0;
      for (const [index, pause] of pauses.entries()) {
        asked += pause;
        const at = asked + took;
        const truth = renewals.findLast((one) => one <= asked)!;
        const served = { date: at + ahead[index]! - 500, sentAt: at, receivedAt: at };
        const leases = seeLeases([{ node: 'a', renewedAt: truth + off }], { at, served }, before);
        const { renewedAt, notBefore = -Infinity, renewTime, clock } = leases[0]!;
        const earlier: SeenLease | undefined = before?.leases[0];
        expect(withoutCount(leases[0]) === withoutCount(earlier)).toBe(earlier?.renewTime === renewTime);
        expect(renewedAt).toBeLessThanOrEqual(at);
        before = { leases, askedAt: asked };
        // A wrong clock is known once the lease has moved.
        if (clock!.most === undefined && off !== 0) continue;
        // The middle of what it may be is off by what is tolerated at most.
        expect(renewedAt).toBeGreaterThanOrEqual(truth - 3_001);
        expect(notBefore).toBeLessThanOrEqual(truth + 1);
      }
    }),
    { numRuns: 300 },
  );
});
