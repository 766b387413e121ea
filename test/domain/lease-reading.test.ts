import { expect, test } from 'vitest';
import { readLease } from '../../src/domain/prober/node-lease.ts';

const metadata = { name: 'node-a' };

test('5.1 a lease is its node and when it was renewed', () => {
  const spec = { holderIdentity: 'somebody-else', renewTime: '2026-11-21T20:07:57.123456Z' };
  expect(readLease({ metadata, spec })).toEqual({ node: 'node-a', renewedAt: Date.parse('2026-11-21T20:07:57.123Z') });
});

test.each<[string, unknown]>([
  ['no spec', undefined],
  ['a spec of null', null],
  ['no renewTime', { holderIdentity: 'node-a' }],
  ['a renewTime of null', { renewTime: null }],
  ['a renewTime of text', { renewTime: 'yesterday' }],
  ['a renewTime that is no day', { renewTime: '2026-13-41T20:07:57Z' }],
  ['a renewTime of numbers', { renewTime: 1_795_291_677 }],
  ['a renewTime of NaN', { renewTime: NaN }],
  ['a renewTime before there were leases', { renewTime: '0001-01-01T00:00:00Z' }],
  ['a renewTime before the epoch', { renewTime: '1969-12-31T23:59:59Z' }],
  ['a renewTime at the end of the calendar', { renewTime: '9999-12-31T23:59:59Z' }],
  ['a renewTime of a year below 0', { renewTime: '-000001-01-01T00:00:00Z' }],
])('5.1 %s is neither fresh nor expired', (_, spec) => {
  expect(readLease({ metadata, spec })).toEqual({ node: 'node-a', renewedAt: null });
});

test.each<[unknown]>([
  [null],
  ['lease'],
  [[]],
  [{}],
  [{ metadata: null }],
  [{ metadata: { name: '' } }],
  [{ metadata: { name: 7 } }],
  [{ metadata: { name: 'x'.repeat(254) } }],
])('5.1 %j has no usable name', (object) => {
  expect(readLease(object)).toBeUndefined();
});
