import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { EmbeddedSeed } from '../embedded-seed.ts';
import type { EmbeddedShoot } from '../shoot/embedded-shoot.ts';
import { healthTimeout, machineHealth } from '../shoot/machine-health.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { type Loose, Wire } from '../contract/embedded-wire.ts';
import { config, kubeconfigInSecret, seedAtNoon, seedWire, shootWire, tokenOf } from './embedded-stage.ts';

const name = 'shoot--demo--01';

let seed: EmbeddedSeed;
let shoot: EmbeddedShoot;

const begin = async (): Promise<void> => {
  ({ seed } = await seedAtNoon());
  shoot = seed.shoot(name);
};

afterEach(() => seed.stop());

const shootInCluster = (): Loose => {
  const spec = seed.api.storage.store.of(kinds.cluster).get(name)?.object['spec'] as Loose;
  return spec.shoot;
};

test("the Secret's kubeconfig has everything inline, and names the shoot's own server and authority", async () => {
  await begin();
  const text = kubeconfigInSecret(seed, name);
  const read = parse(text);
  expect(read.clusters[0].cluster.server).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(read.clusters[0].cluster.server).toBe(shoot.api.url);
  const ca = Buffer.from(read.clusters[0].cluster['certificate-authority-data'], 'base64').toString();
  expect(ca).toBe(shoot.api.certificates.ca);
  expect(ca).not.toBe(seed.api.certificates.ca);
  expect(read).toMatchObject({
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    users: [{ name, user: { token: expect.stringMatching(/^[0-9a-f]{32}$/) } }],
  });
});

test('the log tells what was asked, of which subresource, and is emptied by taking it', async () => {
  await begin();
  const wire = seedWire(seed);
  await wire.patch(`/apis/apps/v1/namespaces/${name}/deployments/kube-controller-manager/scale`, {
    spec: { replicas: 0 },
  });
  await wire.close();
  expect(seed.api.requests.take()).toMatchObject([
    { verb: 'patch', resource: 'deployments/scale', namespace: name, name: 'kube-controller-manager' },
  ]);
  expect([seed.api.requests.all, seed.api.requests.count]).toEqual([[], 1]);
});

test('a token of one shoot opens neither another one nor the seed', async () => {
  await begin();
  const token = tokenOf(kubeconfigInSecret(seed, name));
  for (const api of [seed.api, seed.shoot('shoot--demo--02').api]) {
    const wire = new Wire({ url: api.url, ca: api.certificates.ca, token });
    expect((await wire.get('/version')).code).toBe(401);
    await wire.close();
  }
});

test('a Secret may hold any text, or go', async () => {
  await begin();
  shoot.writeSecret('none');
  expect(kubeconfigInSecret(seed, name)).toBe('none');
  shoot.removeSecret();
  expect(seed.api.storage.store.of(kinds.secret).get(`${name}/${config.kubeConfigSecretName}`)).toBeUndefined();
  shoot.rotateSecret();
  expect(kubeconfigInSecret(seed, name)).toContain(shoot.api.url);
});

test('a new shoot is awake, reconciled, and has workers', async () => {
  await begin();
  expect(shootInCluster()).toMatchObject({
    kind: 'Shoot',
    spec: { provider: { workers: [{ name: 'worker' }] } },
    status: { lastOperation: { type: 'Reconcile', state: 'Succeeded' }, hibernated: false },
  });
});

test.each([
  ['hibernate', { spec: { hibernation: { enabled: true } }, status: { hibernated: true } }],
  ['wake', { spec: { hibernation: { enabled: false } }, status: { hibernated: false } }],
  ['migrate', { status: { lastOperation: { type: 'Migrate', state: 'Processing' } } }],
  ['reconcile', { status: { lastOperation: { type: 'Reconcile', state: 'Succeeded' } } }],
  ['markDeleted', { metadata: { deletionTimestamp: expect.any(String) } }],
  ['makeWorkerless', { spec: { provider: { workers: [] } } }],
  ['giveWorkers', { spec: { provider: { workers: [{ name: 'worker' }] } } }],
] as const)('%s changes the Cluster, and the rest of the shoot stays', async (lever, expected) => {
  await begin();
  const before = shootInCluster();
  shoot[lever]();
  expect(shootInCluster()).toMatchObject(expected);
  expect(shootInCluster().spec.kubernetes).toEqual(before.spec.kubernetes);
});

test('a Cluster may become unreadable, and go', async () => {
  await begin();
  shoot.makeUnreadable();
  expect(shootInCluster()).toMatchObject({ kind: 'Shoot', spec: 'none', status: [] });
  shoot.delete();
  expect(seed.api.storage.store.of(kinds.cluster).get(name)).toBeUndefined();
});

test('nodes, leases and Machines are edited, their status included, or go', async () => {
  await begin();
  const { storage } = shoot.api;
  shoot.editNode('node-001', {
    metadata: { annotations: { 'node.machine.sapcloud.io/not-managed-by-mcm': '1' } },
    status: { conditions: [{ type: 'DiskPressure', status: 'True' }] },
  });
  expect(storage.store.of(kinds.node).get('node-001')?.object).toMatchObject({
    metadata: { annotations: { 'node.machine.sapcloud.io/not-managed-by-mcm': '1' } },
    status: { conditions: [{ type: 'DiskPressure', status: 'True' }], nodeInfo: { architecture: 'amd64' } },
  });
  shoot.editLease('node-001', { spec: { renewTime: null } });
  const lease = storage.store.of(kinds.lease).get('kube-node-lease/node-001')?.object['spec'];
  expect(lease).toEqual({ holderIdentity: 'node-001', leaseDurationSeconds: 40 });
  const machines = seed.api.storage.store.of(kinds.machine);
  const machine = `${name}/${name}-node-001`;
  shoot.editMachine('node-001', { status: { currentStatus: { phase: 'Failed' } } });
  expect(machines.get(machine)?.object).toMatchObject({ status: { currentStatus: { phase: 'Failed' } } });
  shoot.removeMachine('node-001');
  expect(machines.get(machine)).toBeUndefined();
  expect(shoot.nodes).toContain('node-001');
});

test('for kubectl, lists and watches are Tables where it asks for them', async () => {
  await begin();
  const wire = seedWire(seed);
  wire.accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
  const path = `/apis/apps/v1/namespaces/${name}/deployments`;
  const { body } = await wire.get(`${path}?limit=1`);
  expect(body).toMatchObject({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { continue: expect.any(String) },
  });
  expect(body.columnDefinitions.map((column: Loose) => column.name)).toEqual([
    'Name',
    'Ready',
    'Up-to-date',
    'Available',
    'Age',
  ]);
  expect(body.rows).toMatchObject([
    { cells: ['kube-controller-manager', '1/1', '1', '1', '0s'], object: { metadata: { namespace: name } } },
  ]);
  const one = await wire.get(`${path}/kube-controller-manager`);
  expect(one.body.rows).toHaveLength(1);
  const watch = await wire.watch(`${path}?watch=1&resourceVersion=${body.metadata.resourceVersion}`);
  shoot.dependants.scale('kube-controller-manager', 0);
  expect(await watch.next()).toMatchObject({
    type: 'MODIFIED',
    object: { rows: [{ cells: ['kube-controller-manager', '1/0', '1', '1', '0s'] }] },
  });
  watch.cut();
  const nodes = shootWire(seed, shoot);
  nodes.accept = wire.accept;
  expect((await nodes.get('/api/v1/nodes?limit=1')).body.rows[0].cells).toEqual(['node-001', 'Ready', 'v1.34.4', '0s']);
  await Promise.all([wire.close(), nodes.close()]);
});

test('users of the seed may be restricted; the administrator of its kubeconfig is one of them', async () => {
  await begin();
  const prober = new Wire({ url: seed.api.url, ca: seed.api.certificates.ca, token: tokenOf(seed.addUser('prober')) });
  seed.api.permitOnly(({ user, verb, resource }) => user === 'admin' || (verb === 'list' && resource === 'clusters'));
  expect((await prober.get('/apis/extensions.gardener.cloud/v1alpha1/clusters')).body.items).toHaveLength(2);
  expect((await prober.get('/api/v1/secrets')).body).toMatchObject({
    code: 403,
    message: 'secrets is forbidden: User "prober" cannot list resource "secrets" in API group "" at the cluster scope',
  });
  await prober.close();
});

test('dependants are read and changed as by an operator', async () => {
  await begin();
  const { dependants } = shoot;
  expect(dependants.names).toEqual(['kube-controller-manager', 'machine-controller-manager']);
  dependants.annotate('kube-controller-manager', { 'dependency-watchdog.gardener.cloud/ignore-scaling': 'true' });
  dependants.scale('kube-controller-manager', 3);
  expect(dependants.get('kube-controller-manager')).toEqual({
    desired: 3,
    ready: 1,
    annotations: { 'dependency-watchdog.gardener.cloud/ignore-scaling': 'true' },
  });
  dependants.annotate('kube-controller-manager', { 'dependency-watchdog.gardener.cloud/ignore-scaling': null });
  expect(dependants.get('kube-controller-manager')?.annotations).toEqual({});
  dependants.remove('kube-controller-manager');
  expect(dependants.get('kube-controller-manager')).toBeUndefined();
  dependants.add('kube-controller-manager', 2);
  expect(dependants.get('kube-controller-manager')).toMatchObject({ desired: 2, ready: 2 });
  expect(() => dependants.get('nobody')).toThrow('the configuration knows no dependant nobody');
});

test('a Machine is replaced ten seconds after its node was marked, while its controller runs, and the new one joins when the nodes are back', async () => {
  const { clock, seed: own } = await seedAtNoon({ shoots: 1 });
  seed = own;
  shoot = seed.shoot(name);
  const health = machineHealth(shoot);
  const machines = () => seed.api.storage.store.of(kinds.machine).list(name).length;
  shoot.cutOff();
  await clock.advanceBy(56_000);
  expect(shoot.marks).toHaveLength(5);
  const last = Math.max(...shoot.marks.map(({ at }) => at));
  expect(health.replace(last + healthTimeout - 5_001)).toEqual([]);
  shoot.dependants.scale('machine-controller-manager', 0);
  await clock.advanceBy(5_000);
  expect(health.replace(last + healthTimeout)).toEqual([]);
  shoot.dependants.scale('machine-controller-manager', 1);
  await clock.advanceBy(5_000);
  expect(health.replace(last + healthTimeout).toSorted()).toEqual([
    'node-001',
    'node-002',
    'node-003',
    'node-004',
    'node-005',
  ]);
  expect([shoot.nodes.length, machines()]).toEqual([0, 0]);
  shoot.heal();
  health.rejoin();
  expect([shoot.nodes.length, machines()]).toEqual([5, 5]);
  expect(health.replace(clock.now() + 60_000)).toEqual([]);
});
