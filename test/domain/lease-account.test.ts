import { expect, test } from 'vitest';
import type { MachineView, NodeView } from '../../src/domain/prober/candidates.ts';
import { accountExpired, accountLook } from '../../src/domain/prober/odd-leases.ts';
import type { NodeLease } from '../../src/domain/prober/node-lease.ts';

const judged = { askedAt: 100_000, grace: 40_000 };
const silentFor = (node: string, seconds: number): NodeLease => ({ node, renewedAt: 100_000 - seconds * 1_000 });
const node = (name: string, change: Partial<NodeView> = {}): NodeView => ({
  name,
  pool: 'pool',
  unmanaged: false,
  trueConditions: [],
  inPlaceUpdate: false,
  ...change,
});
const machine = (name: string, phase = 'Running'): MachineView => ({ node: name, phase });
const unhealthyConditions = () => new Set(['DiskPressure']);

test('9.4 the expired leases that count, the longest silent first', () => {
  const leases = [
    silentFor('a', 30),
    silentFor('b', 29.9),
    silentFor('c', 45),
    silentFor('d', 99),
    { node: 'e', renewedAt: null },
  ];
  expect(accountExpired(leases, ['d'], judged)).toEqual({
    count: 2,
    first: [
      { node: 'c', silent: 45_000 },
      { node: 'a', silent: 30_000 },
    ],
  });
});

test('9.4 the first ten, and how many; a long name is cut', () => {
  const many = Array.from({ length: 25 }, (_, index) => silentFor(`${'n'.repeat(200)}${index}`, 40 + index));
  const { count, first } = accountExpired(many, [], judged);
  expect({ count, named: first.length }).toEqual({ count: 25, named: 10 });
  expect(first[0]).toEqual({ node: `${'n'.repeat(63)}…`, silent: 64_000 });
});

test('9.4 5.2 who is left out and why, and who has no lease', () => {
  const names = ['counts', 'gone', 'foreign', 'updating', 'bare', 'leaving', 'sick', 'timeless'];
  const leases = names.map((name) => ({ ...silentFor(name, 1), ...(name === 'timeless' ? { renewedAt: null } : {}) }));
  const nodes = [
    node('counts'),
    node('foreign', { unmanaged: true }),
    node('updating', { inPlaceUpdate: true }),
    node('bare'),
    node('leaving'),
    node('sick', { trueConditions: ['Ready', 'DiskPressure'] }),
    node('timeless'),
    node('silent'),
  ];
  const machines = [
    ...['counts', 'foreign', 'updating', 'sick', 'timeless', 'silent'].map((name) => machine(name)),
    machine('leaving', 'Terminating'),
  ];
  expect(accountLook(leases, { nodes, machines, unhealthyConditions })).toEqual({
    leftOut: {
      count: 7,
      first: [
        { node: 'gone', because: 'noNode' },
        { node: 'foreign', because: 'unmanaged' },
        { node: 'updating', because: 'inPlaceUpdate' },
        { node: 'bare', because: 'noMachine' },
        { node: 'leaving', because: 'leaving', of: 'Terminating' },
        { node: 'sick', because: 'unhealthy', of: 'DiskPressure' },
        { node: 'timeless', because: 'noRenewTime' },
      ],
    },
    withoutLease: { count: 1, first: ['silent'] },
  });
});
