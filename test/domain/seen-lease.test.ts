import { expect, test } from 'vitest';
import { seeLeases, type SeenLease } from '../../src/domain/prober/seen-lease.ts';

const see = (renewedAt: number | null, ahead: number, before: readonly SeenLease[], askedAt: number | null) =>
  seeLeases([{ node: 'a', renewedAt }], ahead, askedAt === null ? null : { leases: before, askedAt })[0]!;
const stood = (renewTime: number, movedAt?: number): SeenLease => ({
  node: 'a',
  renewedAt: renewTime,
  renewTime,
  ...(movedAt === undefined ? {} : { movedAt }),
});

test.each<[string, number | null, number, readonly SeenLease[], number | null, number | null]>([
  ['seen for the first time, as it says', 1_000, 0, [], null, 1_000],
  ['by a clock that is ahead', 31_000, 30_000, [], null, 1_000],
  ['by a clock that is behind', 1_000, -30_000, [], null, 31_000],
  ['standing still, as it says', 1_000, 0, [stood(1_000)], 5_000, 1_000],
  ['moved on, and newer than the question before', 9_000, 0, [stood(1_000)], 5_000, 9_000],
  ['moved on by a kubelet whose clock is far behind', 1_500, 0, [stood(1_000)], 5_000, 5_000],
  ['standing still since it was seen to move', 1_500, 0, [stood(1_500, 5_000)], 15_000, 5_000],
  ['gone back, which proves nothing', 1_000, 0, [stood(1_500, 5_000)], 15_000, 1_000],
  ['of a node that is new', 1_000, 0, [], 5_000, 1_000],
  ['unreadable', null, 0, [stood(1_500, 5_000)], 15_000, null],
  ['readable again', 2_000, 0, [{ node: 'a', renewedAt: null, renewTime: null }], 15_000, 2_000],
])('5.1 a lease on our clock: %s', (_, renewTime, ahead, before, askedAt, renewedAt) => {
  expect(see(renewTime, ahead, before, askedAt)).toMatchObject({ node: 'a', renewedAt, renewTime });
});
