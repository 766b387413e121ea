import { afterEach, expect, test } from 'vitest';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import type { EmbeddedSeed, EmbeddedSeedOptions } from '../embedded-seed.ts';
import type { EmbeddedShoot } from '../shoot/embedded-shoot.ts';
import type { Collection } from '../store/collection.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { readinessOf } from '../shoot/shoot-objects.ts';
import type { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { dependant } from '@dwd/testing/prober-configs.ts';
import { config, noon, seedAtNoon } from './embedded-stage.ts';

let clock: VirtualClock;
let seed: EmbeddedSeed;
const first = 'shoot--demo--01';

const begin = async (options: Partial<EmbeddedSeedOptions> = {}): Promise<EmbeddedShoot> => {
  ({ clock, seed } = await seedAtNoon(options));
  return seed.shoot(first);
};

afterEach(() => seed.stop());

const renewTimes = (shoot: EmbeddedShoot): string[] =>
  shoot.api.storage.store
    .of(kinds.lease)
    .list()
    .map(({ object }) => (object['spec'] as { renewTime: string }).renewTime);

const ages = (shoot: EmbeddedShoot): number[] => renewTimes(shoot).map((time) => clock.now() - Date.parse(time));

const labelsOf = (collection: Collection, namespace: string, key: string): readonly (string | undefined)[] =>
  collection.list(namespace).map(({ object }) => object.metadata.labels?.[key]);

const statusOf = (shoot: EmbeddedShoot, name: string): unknown =>
  seed.api.storage.store.of(kinds.deployment).get(`${shoot.name}/${name}`)?.object['status'];

test('kubelets renew every 10 s, each at a phase of its own, in MicroTime', async () => {
  const shoot = await begin();
  for (let second = 0; second < 60; second += 1) {
    expect(Math.max(...ages(shoot))).toBeLessThanOrEqual(10_400);
    await clock.advanceBy(1_000);
  }
  expect(new Set(renewTimes(shoot)).size).toBe(5);
  for (const time of renewTimes(shoot)) expect(time).toMatch(/^2026-11-21T12:0\d:\d\d\.\d{6}Z$/);
});

test('every node has a lease, a Machine in the seed with its name, and a place in the pool of the Cluster', async () => {
  const shoot = await begin({ nodes: 3 });
  const { store } = shoot.api.storage;
  expect(
    store
      .of(kinds.lease)
      .list()
      .map(({ object }) => object.metadata.name),
  ).toEqual(shoot.nodes);
  expect(labelsOf(seed.api.storage.store.of(kinds.machine), first, 'node')).toEqual(shoot.nodes);
  expect(new Set(labelsOf(store.of(kinds.node), '', 'worker.gardener.cloud/pool'))).toEqual(new Set(['worker']));
  shoot.removeNode('node-002');
  expect(shoot.nodes).toEqual(['node-001', 'node-003']);
  expect(seed.api.storage.store.of(kinds.machine).list(first)).toHaveLength(2);
  expect(store.of(kinds.lease).list()).toHaveLength(2);
  shoot.addNodes(1);
  expect(shoot.nodes).toEqual(['node-001', 'node-003', 'node-004']);
});

test('nodes that are cut off renew no more; healed ones renew within 10 s; the other shoots go on', async () => {
  const shoot = await begin();
  shoot.cutOff(0.6);
  await clock.advanceBy(30_000);
  expect(ages(shoot).filter((age) => age > 20_000)).toHaveLength(3);
  expect(ages(shoot).filter((age) => age <= 10_400)).toHaveLength(2);
  expect(Math.max(...ages(seed.shoot('shoot--demo--02')))).toBeLessThanOrEqual(10_400);
  shoot.heal(['node-001']);
  await clock.advanceBy(10_400);
  expect(ages(shoot).filter((age) => age > 20_000)).toHaveLength(2);
  shoot.heal();
  await clock.advanceBy(10_400);
  expect(Math.max(...ages(shoot))).toBeLessThanOrEqual(10_400);
});

test('behind a slow gateway renewals come late, and half of those that are not answered in time come at all; then none does until it is quick again', async () => {
  const shoot = await begin({ nodes: 20 });
  shoot.kubelets.delay = 4_000;
  await clock.advanceBy(60_000);
  // Written, answered 8 s later, and written again 10 s after that.
  expect(Math.max(...ages(shoot))).toBeGreaterThan(18_000);
  expect(Math.max(...ages(shoot))).toBeLessThanOrEqual(4_000 + 18_400);
  expect(Math.min(...ages(shoot))).toBeGreaterThanOrEqual(4_000);
  shoot.kubelets.delay = 0;
  await clock.advanceBy(30_000);
  shoot.kubelets.delay = 15_000;
  await clock.advanceBy(14_900);
  expect(Math.min(...ages(shoot))).toBeGreaterThan(14_000);
  await clock.advanceBy(10_600);
  const late = ages(shoot).filter((age) => age <= 25_500).length;
  expect(late).toBeGreaterThan(5);
  expect(late).toBeLessThan(15);
  await clock.advanceBy(60_000);
  expect(Math.min(...ages(shoot))).toBeGreaterThan(75_000);
  shoot.kubelets.delay = 0;
  await clock.advanceBy(10_400);
  expect(Math.max(...ages(shoot))).toBeLessThanOrEqual(10_400);
});

test('while the API server is down no kubelet renews; while only the watchdog cannot reach it they do', async () => {
  const shoot = await begin();
  await shoot.down();
  await clock.advanceBy(30_000);
  expect(Math.min(...ages(shoot))).toBeGreaterThan(20_000);
  await shoot.up();
  await shoot.unreachable();
  await clock.advanceBy(10_400);
  expect(Math.max(...ages(shoot))).toBeLessThanOrEqual(10_400);
});

test('the status follows the spec: first its generation, then the pods; down is fast, up is slow', async () => {
  const shoot = await begin({ replicas: () => 2 });
  shoot.dependants.scale('kube-controller-manager', 0);
  expect(statusOf(shoot, 'kube-controller-manager')).toMatchObject({ observedGeneration: 1, readyReplicas: 2 });
  await clock.advanceBy(30);
  expect(statusOf(shoot, 'kube-controller-manager')).toMatchObject({ observedGeneration: 2, readyReplicas: 2 });
  await clock.advanceBy(299);
  expect(shoot.dependants.get('kube-controller-manager')).toMatchObject({ desired: 0, ready: 2 });
  await clock.advanceBy(1);
  expect(statusOf(shoot, 'kube-controller-manager')).toEqual({ observedGeneration: 2 });
  shoot.dependants.scale('kube-controller-manager', 2);
  await clock.advanceBy(3_029);
  expect(statusOf(shoot, 'kube-controller-manager')).toEqual({
    observedGeneration: 3,
    replicas: 2,
    updatedReplicas: 2,
  });
  await clock.advanceBy(1);
  expect(shoot.dependants.get('kube-controller-manager')).toMatchObject({ desired: 2, ready: 2 });
});

test('only the newest spec counts, whenever it comes', async () => {
  const shoot = await begin();
  shoot.dependants.scale('machine-controller-manager', 0);
  await clock.advanceBy(200);
  shoot.dependants.scale('machine-controller-manager', 1);
  await clock.advanceBy(200);
  shoot.dependants.annotate('machine-controller-manager', { a: 'b' });
  await clock.advanceBy(10_000);
  expect(statusOf(shoot, 'machine-controller-manager')).toMatchObject({ observedGeneration: 4, readyReplicas: 1 });
});

test('a newer spec begins anew what an older one had begun', async () => {
  const shoot = await begin();
  shoot.dependants.scale('machine-controller-manager', 0);
  await clock.advanceBy(100);
  shoot.dependants.annotate('machine-controller-manager', { a: 'b' });
  await clock.advanceBy(329);
  expect(shoot.dependants.get('machine-controller-manager')?.ready).toBe(1);
  await clock.advanceBy(1);
  expect(shoot.dependants.get('machine-controller-manager')?.ready).toBe(0);
});

test('a custom resource lives too, by the paths of its scale', async () => {
  const etcd = {
    group: 'druid.gardener.cloud',
    version: 'v1alpha1',
    kind: 'Etcd',
    plural: 'etcds',
    namespaced: true,
    custom: true,
    countsGenerations: true,
    hasStatus: true,
    scale: { specReplicas: ['spec', 'size'], statusReplicas: ['status', 'size'] },
  };
  const dependants = [
    dependant('druid.gardener.cloud/v1alpha1', 'Etcd', 'etcd-main', { down: 0, up: 0 }),
    dependant('nope/v1', 'Nope', 'absent', { down: 0, up: 0 }),
  ];
  const shoot = await begin({ config: { ...config, dependants }, moreKinds: [etcd], replicas: () => 3 });
  expect(shoot.dependants.get('etcd-main')).toMatchObject({ desired: 3, ready: 3 });
  expect(shoot.dependants.get('absent')).toBeUndefined();
  shoot.dependants.scale('etcd-main', 0);
  await clock.advanceBy(330);
  expect(seed.api.storage.store.of(etcd).list()[0]?.object).toMatchObject({
    spec: { size: 0 },
    status: { size: 0, observedGeneration: 2 },
  });
});

test('the controller-manager marks nodes once it has seen no renewal for the grace, by its own clock; healing unmarks them', async () => {
  const shoot = await begin();
  await clock.advanceBy(60_000);
  shoot.cutOff();
  const cutAt = clock.now();
  await clock.advanceBy(30_000);
  expect(shoot.marks).toEqual([]);
  await clock.advanceBy(30_000);
  expect(shoot.unknownNodes).toEqual(shoot.nodes);
  // The lease was renewed up to 10 s before; it was seen up to 5 s late, and is looked at every 5 s.
  for (const { at } of shoot.marks) {
    expect(at - cutAt).toBeGreaterThan(30_000);
    expect(at - cutAt).toBeLessThanOrEqual(50_000);
  }
  shoot.heal();
  await clock.advanceBy(10_400);
  expect(shoot.unknownNodes).toEqual([]);
  expect(readinessOf(shoot.api.storage, 'node-001')).toBe('True');
});

test('without its controller-manager no node is marked; a new one counts from its start', async () => {
  const shoot = await begin();
  shoot.cutOff();
  await clock.advanceBy(20_000);
  shoot.dependants.scale('kube-controller-manager', 0);
  await clock.advanceBy(120_000);
  expect(shoot.marks).toEqual([]);
  shoot.dependants.scale('kube-controller-manager', 1);
  await clock.advanceBy(3_030 + 40_000);
  expect(shoot.marks).toEqual([]);
  await clock.advanceBy(15_000);
  expect(shoot.marks).toHaveLength(5);
});

test('a shoot may set its own grace', async () => {
  const shoot = await begin();
  shoot.setGrace('2m0s', 120_000);
  shoot.cutOff();
  await clock.advanceBy(100_000);
  expect(shoot.marks).toEqual([]);
  await clock.advanceBy(40_000);
  expect(shoot.marks).toHaveLength(5);
});

const live = async (number: number): Promise<string> => {
  const shoot = await begin({ chance: seededChance(number) });
  await clock.advanceBy(60_000);
  shoot.cutOff(0.5);
  await clock.advanceBy(90_000);
  shoot.dependants.scale('kube-controller-manager', 0);
  shoot.heal();
  await clock.advanceBy(150_000);
  const told = [seed.api, ...seed.shoots.map(({ api }) => api)].flatMap(({ storage }) =>
    Object.values(kinds)
      .filter(({ plural }) => plural !== 'secrets')
      .flatMap((kind) =>
        storage.store
          .of(kind)
          .list()
          .map(({ json }) => json),
      ),
  );
  await seed.stop();
  return told.join('\n');
};

test('one number tells the whole story: the same seed lives through the same five minutes, another one does not', async () => {
  const once = await live(3);
  expect(await live(3)).toBe(once);
  expect(await live(4)).not.toBe(once);
});

test('a seed that was stopped leaves no timer; one that lives needs a single one', async () => {
  await begin({ shoots: 20 });
  expect(clock.sleeping).toBe(1);
  expect(clock.now()).toBe(noon);
  await seed.stop();
  expect(clock.sleeping).toBe(0);
});

test('a shoot that is removed takes everything along', async () => {
  await begin();
  await seed.removeShoot(first);
  const { store } = seed.api.storage;
  const left = [kinds.cluster, kinds.namespace, kinds.secret, kinds.deployment, kinds.machine].flatMap((kind) =>
    store
      .of(kind)
      .list()
      .filter(({ key }) => key.startsWith(first)),
  );
  expect(left).toEqual([]);
  expect(seed.shoots.map(({ name }) => name)).toEqual(['shoot--demo--02']);
  expect(() => seed.shoot(first)).toThrow('the seed has no shoot');
});
