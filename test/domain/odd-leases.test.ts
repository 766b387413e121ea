import { expect, test } from 'vitest';
import { hasSettled, leasesAhead, unrenewedLeases } from '../../src/domain/prober/odd-leases.ts';
import type { SeenLease } from '../../src/domain/prober/node-lease.ts';

const now = 1_000_000;
const lease = (node: string, renewTime: number | null): SeenLease => ({ node, renewedAt: renewTime, renewTime });
const node = (name: string, trueConditions: readonly string[]) => ({
  name,
  unmanaged: false,
  trueConditions,
  inPlaceUpdate: false,
});

test('5.1 a lease is ahead of the time only beyond what is tolerated; one without a time never is', () => {
  const leases = [lease('a', now + 3_000), lease('b', now + 3_001), lease('c', null), lease('d', now - 10_000)];
  expect(leasesAhead(leases, now)).toEqual({ count: 1, worst: [{ node: 'b', by: 3_001 }] });
});

test('5.1 of many, the worst ten are named, and all are counted', () => {
  const leases = Array.from({ length: 500 }, (_, index) => lease(`n${index}`, now + 10_000 + index));
  const { count, worst } = leasesAhead(leases, now);
  expect(count).toBe(500);
  expect(worst.map(({ node: name }) => name)).toEqual(Array.from({ length: 10 }, (_, index) => `n${499 - index}`));
});

test('5.1 what a kubelet wrote counts, though a lease that moves is fresh by our own clock', () => {
  const moved: SeenLease = { node: 'a', renewedAt: now - 1_000, renewTime: now + 60_000 };
  expect(leasesAhead([moved], now).count).toBe(1);
});

const grace = 40_000;
const limit = now - 0.75 * grace - 2 * grace;

test.each([
  ['two graces after it expired', limit, ['Ready'], 1],
  ['before that', limit + 1, ['Ready'], 0],
  ['on a node that is marked', limit, [], 0],
  ['on a node that is ill but Ready', limit, ['DiskPressure', 'Ready'], 1],
  ['without a readable time', null, ['Ready'], 0],
])('5.5 a lease is found not to be renewed: %s', (_, renewedAt, conditions, count) => {
  const found = unrenewedLeases([lease('a', renewedAt)], [node('a', conditions)], { askedAt: now, grace });
  expect(found).toEqual({ count, worst: [{ node: 'a', by: 2.75 * grace }].slice(0, count) });
});

test('5.5 a lease of a node that is gone tells nothing', () => {
  expect(unrenewedLeases([lease('a', 0)], [node('b', ['Ready'])], { askedAt: now, grace }).count).toBe(0);
});

test.each([
  [null, false],
  [now - 2 * grace + 1, false],
  [now - 2 * grace, true],
])('5.5 a shoot that is calm since %s has settled: %s', (calmSince, settled) => {
  expect(hasSettled(calmSince, now, grace)).toBe(settled);
});
