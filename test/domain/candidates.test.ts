import { expect, test } from 'vitest';
import {
  leasesByLook,
  nodeConditionsOf,
  untoldNodes,
  type MachineView,
  type NodeView,
} from '../../src/domain/prober/candidates.ts';
import type { NodeLease } from '../../src/domain/prober/node-lease.ts';

const lease = (node: string): NodeLease => ({ node, renewedAt: 1 });
const node = (change: Partial<NodeView> = {}): NodeView => ({
  name: 'a',
  pool: 'pool',
  unmanaged: false,
  trueConditions: [],
  inPlaceUpdate: false,
  ...change,
});
const machine = (phase: string, of = 'a'): MachineView => ({ node: of, phase });
const byDefault = () => new Set(['KernelDeadlock', 'DiskPressure']);

const tells = (nodes: readonly NodeView[], machines: readonly MachineView[], conditions = byDefault) =>
  leasesByLook([lease('a')], { nodes, machines, unhealthyConditions: conditions }).candidates.length === 1;

test.each<[string, NodeView[], MachineView[], boolean]>([
  ['a healthy node with a running machine', [node()], [machine('Running')], true],
  ['a node that is gone', [], [machine('Running')], false],
  ['a node not managed', [node({ unmanaged: true })], [machine('Running')], false],
  ['a node in an in-place update', [node({ inPlaceUpdate: true })], [machine('Running')], false],
  ['an unhealthy node', [node({ trueConditions: ['Ready', 'DiskPressure'] })], [machine('Running')], false],
  ['a condition that is not on the list', [node({ trueConditions: ['Ready', 'Odd'] })], [machine('Running')], true],
  ['a node without a machine', [node()], [], false],
  ["another node's machine only", [node()], [machine('Running', 'b')], false],
  ['two machines, one of them staying', [node()], [machine('Terminating'), machine('Running')], true],
  ['a machine without a node label', [node({ name: '' })], [machine('Running', '')], false],
])('5.2 %s', (_, nodes, machines, yes) => {
  expect(tells(nodes, machines)).toBe(yes);
});

test.each([
  ['Pending', true],
  ['Available', true],
  ['Running', true],
  ['Unknown', true],
  ['CrashLoopBackOff', true],
  ['InPlaceUpdating', true],
  ['InPlaceUpdateSuccessful', true],
  ['InPlaceUpdateFailed', true],
  ['', true],
  ['Failed', false],
  ['Terminating', false],
])('5.2 a machine in phase "%s" lets its node tell: %s', (phase, yes) => {
  expect(tells([node()], [machine(phase)])).toBe(yes);
});

const oddInPoolOne = (pool: string | undefined) => new Set(pool === 'one' ? ['Odd'] : []);

test('5.2 each pool has its own unhealthy conditions', () => {
  const leases = ['a', 'b', 'c'].map(lease);
  const nodes = [
    node({ name: 'a', pool: 'one', trueConditions: ['Odd'] }),
    node({ name: 'b', pool: 'two', trueConditions: ['Odd'] }),
    { name: 'c', unmanaged: false, trueConditions: ['Odd'], inPlaceUpdate: false },
  ];
  const machines = ['a', 'b', 'c'].map((name) => machine('Running', name));
  expect(
    leasesByLook(leases, { nodes, machines, unhealthyConditions: oddInPoolOne }).candidates.map(
      ({ node: name }) => name,
    ),
  ).toEqual(['b', 'c']);
});

test('5.2 only leases are candidates, in their order and with what they say', () => {
  const leases: NodeLease[] = [
    { node: 'b', renewedAt: null },
    { node: 'a', renewedAt: 5 },
  ];
  const nodes = ['a', 'b', 'c'].map((name) => node({ name }));
  const machines = ['a', 'b', 'c'].map((name) => machine('Running', name));
  const look = { nodes, machines, unhealthyConditions: byDefault };
  expect(leasesByLook(leases, look)).toEqual({ candidates: leases, leftOut: [], counting: 3 });
  const gone = { node: 'z', renewedAt: 5 };
  expect(leasesByLook([gone, ...leases], { ...look, machines: machines.slice(1) })).toEqual({
    candidates: leases.slice(0, 1),
    leftOut: [
      { node: 'z', because: 'noNode' },
      { node: 'a', because: 'noMachine' },
    ],
    counting: 2,
  });
});

test('5.2 4.7 the conditions that a pool names are gone through once, however many nodes there are', () => {
  let reads = 0;
  const counted: ProxyHandler<string[]> = {
    get: (target, key, receiver) => {
      reads += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  };
  const odd = Array.from({ length: 90_000 }, (_, index) => `Odd${index}`);
  const workers = [{ name: 'pool', nodeConditions: new Proxy(odd, counted) }];
  const names = Array.from({ length: 60 }, (_, index) => `node-${index}`);
  const nodes = names.map((name) => node({ name, trueConditions: ['Ready', 'Fine'] }));
  const machines = names.map((name) => machine('Running', name));
  const conditions = nodeConditionsOf(workers);
  expect(leasesByLook(names.map(lease), { nodes, machines, unhealthyConditions: conditions }).candidates).toHaveLength(
    60,
  );
  expect(reads).toBeLessThan(200_000);
});

test('5.8 the reasons for which leases tell nothing are counted, that of most nodes first', () => {
  const nodes = [
    node({ name: 'a' }),
    node({ name: 'd' }),
    node({ name: 'b' }),
    node({ name: 'c', unmanaged: true }),
    node({ name: 'e', unmanaged: true }),
    node({ name: 'f', unmanaged: true }),
    node({ name: 'g' }),
  ];
  const machines = ['a', 'b', 'c', 'g'].map((name) => machine('Running', name));
  const leases = ['a', 'c', 'd'].map(lease);
  expect(untoldNodes(leases, { nodes, machines, unhealthyConditions: byDefault })).toEqual([
    { because: 'unmanaged', nodes: 3 },
    { because: 'noLease', nodes: 2 },
    { because: 'noMachine', nodes: 1 },
  ]);
});
