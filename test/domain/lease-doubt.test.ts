import { expect, test } from 'vitest';
import { leaseDoubts, type Silence } from '../../src/domain/prober/silence.ts';
import type { SeenLease } from '../../src/domain/prober/node-lease.ts';

const grace = 40_000;
const lease = (one: Partial<SeenLease>): SeenLease => ({ node: 'a', renewedAt: 0, renewTime: 0, ...one });

test.each<[string, Partial<SeenLease>, number, number | undefined]>([
  ['first seen, and older than a controller-manager lets pass', { renewedAt: -51_000, shownAt: 100 }, 0, 12_100],
  ['first seen 12 s ago', { renewedAt: -51_000, shownAt: 100 }, 12_100, undefined],
  ['not so old: there may be time left', { renewedAt: -49_000, shownAt: 100 }, 0, undefined],
  ['seen to move', { renewedAt: -51_000, shownAt: 100, movedAt: -60_000 }, 0, undefined],
  ['unreadable', { renewedAt: null }, 0, undefined],
])('5.1 an old lease is in doubt until it had time to move: %s', (_, one, askedAt, endsAt) => {
  expect(leaseDoubts([], { askedAt, grace, silence: null })(lease(one))).toBe(endsAt);
});

/** Over at 100: the answer that was asked for at 0. */
const away = { since: -35_000, until: -5_000, turnedAway: { since: -35_000, until: -5_000 }, overAt: 100 };
const unreached = { ...away, turnedAway: null };
const old = { renewedAt: -38_000, shownAt: 100, movedAt: -48_000 };

test.each<[string, Silence, Partial<SeenLease>, number, number | undefined]>([
  ['nobody could renew it', away, old, 0, 12_100],
  ['12 s after the return', away, old, 12_100, undefined],
  ['it is not expired', away, { ...old, renewedAt: -29_000 }, 0, undefined],
  ['the server was away too shortly', { ...away, since: -12_000, until: -3_000 }, old, 0, undefined],
  ['it was reached for too short a time', { ...away, turnedAway: { since: -9_000, until: -5_000 } }, old, 0, undefined],
  ['nobody was reached: there may be time left', unreached, old, 0, undefined],
  ['nobody was reached, and no time is left', unreached, { ...old, renewedAt: -51_000 }, 0, 12_100],
])('5.1 what could not be renewed is in doubt when the API server is back: %s', (_, silence, one, askedAt, endsAt) => {
  expect(leaseDoubts([lease(one)], { askedAt, grace, silence })(lease(one))).toBe(endsAt);
});

test('5.1 a renewal during the silence shows that only our own way was out', () => {
  const all = [lease(old), lease({ node: 'b', renewedAt: -20_000, shownAt: 100 })];
  expect(leaseDoubts(all, { askedAt: 0, grace, silence: away })(lease(old))).toBeUndefined();
});
