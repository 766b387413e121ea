import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seeLeases, type SeenLease } from '../../src/domain/prober/node-lease.ts';

type Before = Readonly<{ lease: Partial<SeenLease> | null; askedAt: number; clockAhead?: number }> | null;

/** The lease of one node, received at 20,000 unless told. */
function see(renewedAt: number | null, before: Before, { at = 20_000, clockAhead = 0 } = {}): SeenLease {
  const leases = before?.lease ? [{ node: 'a', renewedAt: null, renewTime: null, ...before.lease }] : [];
  const known = before && { leases, askedAt: before.askedAt, clockAhead: before.clockAhead ?? 0 };
  return seeLeases([{ node: 'a', renewedAt }], { at, clockAhead }, known)[0]!;
}

const stood = { renewedAt: 1_000, renewTime: 1_000, shownAt: 2_000 };
const right = { renewedAt: 1_000, renewTime: 1_000, shownAt: 1_500, atLeast: -500 };
const moved = { renewedAt: 10_000, renewTime: 1_500, shownAt: 10_000, movedAt: 5_000 };

test.each<[string, number | null, Before, number | null, Readonly<{ at?: number; clockAhead?: number }>?]>([
  ['seen for the first time, as it says', 1_000, null, 1_000],
  ['by a shoot whose clock is ahead', 31_000, null, 1_000, { clockAhead: 30_000 }],
  ['by a shoot whose clock is behind', 1_000, null, 31_000, { clockAhead: -30_000, at: 40_000 }],
  ['standing still, as it says', 1_000, { lease: stood, askedAt: 5_000 }, 1_000],
  ['moved on, and newer than the question before', 9_000, { lease: stood, askedAt: 5_000 }, 9_000],
  // Its clock is behind by 11 s at most: by as much it is fresher.
  ['moved on by a kubelet whose clock is behind', 1_500, { lease: stood, askedAt: 5_000 }, 12_000, { at: 12_000 }],
  ['standing still since it was seen to move', 1_500, { lease: moved, askedAt: 15_000 }, 10_000],
  ['gone back, which proves nothing', 1_000, { lease: moved, askedAt: 15_000 }, 1_000],
  ['of a node that is new', 1_000, { lease: null, askedAt: 5_000 }, 1_000],
  ['unreadable', null, { lease: moved, askedAt: 15_000 }, null],
  ['readable again', 2_000, { lease: {}, askedAt: 15_000 }, 2_000],
  ['ahead by less than clocks may differ: it was renewed before it was received', 22_000, null, 20_000],
  ['written a day ahead: it was renewed before it was received', 86_400_000, null, 20_000],
  [
    'a day ahead and standing still: before it was received first',
    86_400_000,
    { lease: { renewTime: 86_400_000, shownAt: 3_000, atLeast: 86_397_000, ahead: 86_397_000 }, askedAt: 5_000 },
    3_000,
  ],
  [
    'moved on a day ahead, as what is known of its clock tells',
    86_416_000,
    { lease: { renewTime: 86_400_000, shownAt: 2_000, atLeast: 86_400_000, ahead: 86_400_000 }, askedAt: 5_000 },
    16_180,
  ],
  [
    'put right by a step: what was known of its clock is forgotten',
    18_000,
    { lease: { renewTime: 15_000, shownAt: -9_000, atLeast: 25_000, ahead: 25_000 }, askedAt: -10_000 },
    18_000,
  ],
  [
    'held up, from a clock known to be right: as it says',
    11_200,
    { lease: right, askedAt: 24_000 },
    11_200,
    { at: 34_000 },
  ],
  [
    'held up, and standing still: as it says',
    11_200,
    {
      lease: { renewTime: 11_200, renewedAt: 11_200, shownAt: 34_000, movedAt: 24_000, atLeast: -825, late: true },
      askedAt: 34_000,
    },
    11_200,
    { at: 44_000 },
  ],
  [
    'held up, from a clock that may be 5 s behind: younger by as much',
    11_200,
    { lease: { ...right, atLeast: -5_000 }, askedAt: 24_000 },
    16_525,
    { at: 34_000 },
  ],
  [
    'held up, by a way that was slow before: as it says',
    19_000,
    { lease: right, askedAt: 30_000 },
    19_000,
    { at: 44_000 },
  ],
  [
    'held up once more: its clock stood still for a while',
    21_200,
    {
      lease: { renewTime: 11_200, renewedAt: 11_200, shownAt: 44_000, movedAt: 34_000, atLeast: -825, late: true },
      askedAt: 44_000,
    },
    54_000,
    { at: 54_000 },
  ],
  [
    'not one renewal after the one before: its clock may have been set back',
    8_000,
    { lease: right, askedAt: 24_000 },
    34_000,
    { at: 34_000 },
  ],
  [
    'known on another clock of ours: as it says on this one',
    50_000,
    { lease: { renewTime: 50_000, shownAt: 16_000, movedAt: 12_000 }, askedAt: 15_000 },
    50_000,
    { at: 60_000, clockAhead: 0 },
  ],
])('5.1 a lease on our clock: %s', (name, renewTime, before, renewedAt, answer) => {
  const known = name.startsWith('known on another') && before ? { ...before, clockAhead: 35_000 } : before;
  const lease = see(renewTime, known, answer);
  expect(lease).toMatchObject({ node: 'a', renewTime });
  expect(lease.renewedAt === null ? null : Math.round(lease.renewedAt)).toBe(renewedAt);
});

/** Renewals of a kubelet whose clock is off by `off`, and answers, each `took` after it was asked. */
const life = fc.record({
  off: fc.oneof(
    fc.constant(0),
    fc.integer({ min: -86_400_000, max: -40_000 }),
    fc.integer({ min: 15_000, max: 86_400_000 }),
  ),
  phase: fc.integer({ min: 0, max: 9_999 }),
  late: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 120, maxLength: 120 }),
  pauses: fc.array(fc.integer({ min: 250, max: 36_000 }), { minLength: 12, maxLength: 30 }),
  took: fc.integer({ min: 1, max: 500 }),
});

test('5.1 a kubelet that renews by a wrong clock is never older than it is, and soon as old as it is', () => {
  fc.assert(
    fc.property(life, ({ off, phase, late, pauses, took }) => {
      const renewals: number[] = [];
      for (let at = phase - 20_000, index = 0; at < 1_200_000; index++) {
        renewals.push(at);
        at += 10_000 + late[index % late.length]!;
      }
      let before: { leases: readonly SeenLease[]; askedAt: number; clockAhead: number } | null = null;
      let asked = 0;
      const soonest = { gap: Infinity };
      for (const pause of pauses) {
        asked += pause;
        const at = asked + took;
        const truth = renewals.findLast((one) => one <= asked)!;
        const leases = seeLeases([{ node: 'a', renewedAt: truth + off }], { at, clockAhead: 0 }, before);
        const { renewedAt, movedAt } = leases[0]!;
        expect(renewedAt).toBeLessThanOrEqual(at);
        before = { leases, askedAt: asked, clockAhead: 0 };
        // A clock that is behind is known once the lease has moved.
        if (movedAt === undefined && off < 0) continue;
        soonest.gap = Math.min(soonest.gap, at - truth);
        expect(renewedAt).toBeGreaterThanOrEqual(truth - 1);
        // The answer that came soonest after a renewal tells, less what a clock may gain meanwhile.
        expect(renewedAt! - truth).toBeLessThanOrEqual(soonest.gap + 0.011 * asked + 1);
      }
    }),
    { numRuns: 300 },
  );
});
