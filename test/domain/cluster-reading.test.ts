import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClusterView } from '../../src/domain/prober/cluster-view.ts';
import { readCluster } from '../../src/domain/prober/cluster-reading.ts';

const shoot = {
  apiVersion: 'core.gardener.cloud/v1beta1',
  kind: 'Shoot',
  metadata: { name: 'one', labels: { a: 'b' } },
  spec: {
    hibernation: { enabled: false, schedules: [{ start: '0 17 * * *' }] },
    kubernetes: { version: '1.33.4', kubeControllerManager: { nodeMonitorGracePeriod: '1m30s' } },
    provider: {
      type: 'local',
      workers: [
        { name: 'big', minimum: 1, machineControllerManager: { nodeConditions: ['DiskPressure', 'Odd'] } },
        { name: 'plain' },
        { name: 'drained', machineControllerManager: { machineDrainTimeout: '2h' } },
        { name: 'empty', machineControllerManager: { nodeConditions: [] } },
        { name: 'own', controlPlane: {} },
      ],
    },
  },
  status: { hibernated: false, lastOperation: { type: 'Reconcile', state: 'Processing', progress: 40 } },
};

const clusterOf = (shoot: unknown) => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'shoot--dev--one', resourceVersion: '7' },
  spec: { cloudProfile: { spec: { large: true } }, seed: {}, shoot },
});

const plain = { deleting: false, hibernationEnabled: false, hibernated: false, workers: [] };

test('3 a Cluster is read down to the fields that are named', () => {
  // A new field is to be read here.
  const cluster: Required<ClusterView> = {
    deleting: false,
    hibernationEnabled: false,
    hibernated: false,
    lastOperation: { type: 'Reconcile', state: 'Processing' },
    workers: [
      { name: 'big', nodeConditions: ['DiskPressure', 'Odd'] },
      { name: 'plain' },
      { name: 'drained' },
      { name: 'empty' },
      { name: 'own' },
    ],
    selfHosted: true,
    nodeMonitorGrace: 90_000,
  };
  expect(readCluster(clusterOf(shoot))).toStrictEqual({ readable: true, cluster });
});

test.each<[string, unknown, object]>([
  ['nothing at all', {}, {}],
  ['nulls', { metadata: null, spec: null, status: null }, {}],
  [
    'inner nulls',
    {
      spec: { hibernation: null, provider: { workers: null }, kubernetes: null },
      status: { hibernated: null, lastOperation: null },
    },
    {},
  ],
  ['a deletionTimestamp', { metadata: { deletionTimestamp: '2026-11-21T20:07:57Z' } }, { deleting: true }],
  ['a null deletionTimestamp', { metadata: { deletionTimestamp: null } }, {}],
  ['hibernation', { spec: { hibernation: { enabled: true } } }, { hibernationEnabled: true }],
  ['status.hibernated', { status: { hibernated: true } }, { hibernated: true }],
  ['an operation of empty type', { status: { lastOperation: { type: '', state: 'Succeeded' } } }, {}],
  [
    'an operation without state',
    { status: { lastOperation: { type: 'Create' } } },
    { lastOperation: { type: 'Create', state: '' } },
  ],
  ['anything where nobody looks', { kind: 4, spec: { dns: [], kubernetes: { kubeControllerManager: { x: {} } } } }, {}],
])('3 a shoot with %s', (_, shoot, told) => {
  expect(readCluster(clusterOf(shoot))).toStrictEqual({ readable: true, cluster: { ...plain, ...told } });
});

const grace = (nodeMonitorGracePeriod: unknown) =>
  clusterOf({ spec: { kubernetes: { kubeControllerManager: { nodeMonitorGracePeriod } } } });
const gracePlace = 'spec.shoot.spec.kubernetes.kubeControllerManager.nodeMonitorGracePeriod';

test.each<[unknown, string]>([
  [undefined, 'the Cluster is missing'],
  [{}, 'spec is missing'],
  [{ spec: {} }, 'spec.shoot is missing'],
  [clusterOf(null), 'spec.shoot is missing'],
  [clusterOf('eyJ='), 'spec.shoot should be an object'],
  [clusterOf([]), 'spec.shoot should be an object'],
  [
    clusterOf({ spec: { hibernation: { enabled: 'yes' } } }),
    'spec.shoot.spec.hibernation.enabled should be true or false',
  ],
  [clusterOf({ spec: { provider: { workers: {} } } }), 'spec.shoot.spec.provider.workers should be a list'],
  [
    clusterOf({ spec: { provider: { workers: [{}, { name: 3 }] } } }),
    'spec.shoot.spec.provider.workers[1].name should be a text',
  ],
  [clusterOf({ status: { lastOperation: { type: 4 } } }), 'spec.shoot.status.lastOperation.type should be a text'],
  [grace(40), `${gracePlace} should be a text`],
  [grace('40'), `${gracePlace} is no duration: the unit is missing after 40`],
  [grace('0s'), `${gracePlace} must be above 0`],
  [grace('-40s'), `${gracePlace} must be above 0`],
])('3.4 what cannot be read names its place: %j', (object, problem) => {
  expect(readCluster(object)).toEqual({ readable: false, problem });
});

const workersOf = (workers: unknown) => clusterOf({ spec: { provider: { workers } } });
const poolsOf = (pools: number, conditions: number, each: unknown = 'Odd') =>
  workersOf(
    Array.from({ length: pools }, () => ({
      machineControllerManager: { nodeConditions: Array.from({ length: conditions }, () => each) },
    })),
  );
const workersPlace = 'spec.shoot.spec.provider.workers';

test.each<[string, object, string]>([
  ['1,001 pools', poolsOf(1_001, 0), `${workersPlace} has more than 1000 entries`],
  ['90,000 conditions in a pool', poolsOf(1, 90_000), `${workersPlace} names more than 2048 node conditions`],
  ['2,049 conditions in all', poolsOf(683, 3), `${workersPlace} names more than 2048 node conditions`],
  [
    'a condition of 129 characters',
    poolsOf(1, 1, 'x'.repeat(129)),
    `${workersPlace}[0].machineControllerManager.nodeConditions[0] is longer than 128 characters`,
  ],
  [
    'a pool’s name of 64',
    workersOf([{ name: 'x'.repeat(64) }]),
    `${workersPlace}[0].name is longer than 63 characters`,
  ],
  [
    'an operation of 64',
    clusterOf({ status: { lastOperation: { type: 'x'.repeat(64) } } }),
    'spec.shoot.status.lastOperation.type is longer than 63 characters',
  ],
  [
    'a state of 64',
    clusterOf({ status: { lastOperation: { type: 'Create', state: 'x'.repeat(64) } } }),
    'spec.shoot.status.lastOperation.state is longer than 63 characters',
  ],
])('3.4 4.7 a Cluster with %s is beyond its limit, and cannot be read', (_, object, problem) => {
  expect(readCluster(object)).toEqual({ readable: false, problem });
});

test('4.7 a Cluster at its limits is read', () => {
  const reading = readCluster(poolsOf(512, 4, 'x'.repeat(128)));
  expect(reading.readable && reading.cluster.workers).toHaveLength(512);
  expect(readCluster(poolsOf(1_000, 0)).readable).toBe(true);
});

test('4.7 of what is beyond a limit nothing is looked at', () => {
  let looked = 0;
  const entry = new Proxy({}, { get: () => void (looked += 1), getOwnPropertyDescriptor: () => void (looked += 1) });
  const workers = Array.from({ length: 100_000 }, () => entry);
  expect(readCluster(workersOf(workers)).readable).toBe(false);
  expect(looked).toBe(0);
});

test('3.4 no JSON makes the reader throw, and a problem is one short line', () => {
  const anywhere = fc.oneof(
    fc.jsonValue(),
    fc.jsonValue().map(clusterOf),
    fc.jsonValue().map((value) => clusterOf({ spec: value, status: value, metadata: value })),
    fc
      .jsonValue()
      .map((value) => clusterOf({ spec: { provider: { workers: [value] } }, status: { lastOperation: value } })),
    fc.string({ unit: 'binary', maxLength: 200 }).map(grace),
    fc.string({ unit: fc.constantFrom('1', 's', '\n', '\u2028', ' ') }).map(grace),
  );
  fc.assert(
    fc.property(anywhere, (object) => {
      const reading = readCluster(object);
      if (reading.readable) return;
      expect(reading.problem).toMatch(/^.+$/u);
      expect(reading.problem.length).toBeLessThan(200);
    }),
  );
});

test('3 nothing of the object is kept alive by what was read of it', () => {
  const object = structuredClone(clusterOf(shoot));
  const reading = readCluster(object);
  const held = new Set<unknown>();
  const gather = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    held.add(value);
    for (const inner of Object.values(value)) gather(inner);
  };
  gather(reading);
  const shared = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && (held.has(value) || Object.values(value).some(shared));
  expect(shared(object)).toBe(false);
});
