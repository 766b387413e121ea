import { afterEach, expect, test } from 'vitest';
import type { Change } from '../store/collection.ts';
import type { ControlPlane, ControlPlanePod } from '../workloads/control-plane.ts';
import { kinds } from '../store/embedded-kinds.ts';
import type { EmbeddedSeed, EmbeddedSeedOptions } from '../embedded-seed.ts';
import { gardenerControlPlane, type PodGroup } from '../workloads/pod-group.ts';
import { createObject, removeObject } from '../store/object-writes.ts';
import { crashLoopingContainer, podObject } from '../workloads/pod-status.ts';
import type { Loose } from '../contract/embedded-wire.ts';
import type { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { noon, seedAtNoon, seedWire } from './embedded-stage.ts';

const namespace = 'shoot--demo--01';

let clock: VirtualClock;
let seed: EmbeddedSeed;
let plane: ControlPlane;

const begin = async (
  groups?: readonly PodGroup[],
  options: Partial<EmbeddedSeedOptions> = {},
): Promise<ControlPlane> => {
  ({ clock, seed } = await seedAtNoon({ shoots: 0, ...options }));
  plane = seed.addControlPlane(namespace, groups);
  return plane;
};

afterEach(() => seed.stop());

const base: PodGroup = { name: 'base', labels: { role: 'base' }, replicas: 1, startTime: 1_000, toleratesFor: 0 };
const database: PodGroup = { ...base, name: 'db', labels: { role: 'main' }, stateful: true, service: 'db-client' };
const user: PodGroup = { ...base, name: 'user', labels: { role: 'user' }, needs: 'db-client', toleratesFor: 5_000 };

const podsOf = (group: string): readonly ControlPlanePod[] => plane.pods.filter((pod) => pod.group === group);

const only = (group: string): ControlPlanePod => {
  const pods = podsOf(group);
  expect(pods).toHaveLength(1);
  return pods[0]!;
};

const podObjects = (): readonly Loose[] =>
  seed.api.storage.store
    .of(kinds.pod)
    .list(namespace)
    .map(({ object }) => object);

const slices = (): readonly Loose[] =>
  seed.api.storage.store
    .of(kinds.endpointSlice)
    .list(namespace)
    .map(({ object }) => object);

/** Every change of the pods from now on, at its instant. */
const changes = (): (Change & { at: number })[] => {
  const told: (Change & { at: number })[] = [];
  seed.api.storage.store.of(kinds.pod).onChange((change) => told.push({ ...change, at: clock.now() - noon }));
  return told;
};

const statusOf = (pod: Loose, list: 'containerStatuses' | 'initContainerStatuses' = 'containerStatuses'): Loose =>
  pod.status[list][0];

const isReady = ({ status }: Loose): boolean =>
  status.conditions.some(({ type, status: holds }: Loose) => type === 'Ready' && holds === 'True');

/** A pod is deleted, as the weeder does it. */
const remove = ({ name, uid }: Readonly<{ name: string; uid: string }>): void => {
  const current = seed.api.storage.store.of(kinds.pod).get(`${namespace}/${name}`);
  if (current !== undefined) removeObject(seed.api.storage, kinds.pod, current, { preconditions: { uid } });
};

test('7.3 a container that keeps exiting is started at once, then after 10 s, doubling to 5 min; what it says is what a kubelet says', async () => {
  await begin([base]);
  const told = changes();
  plane.down('base');
  await clock.advanceBy(1_200_000);
  const states = told.map(({ at, revision }) => ({ at, ...statusOf(revision.object) }));
  const waits = states.filter(({ state }) => state.waiting !== undefined);
  expect(waits.map(({ state, restartCount }) => [state.waiting.message.split(' ')[1], restartCount])).toEqual([
    ['10s', 1],
    ['20s', 2],
    ['40s', 3],
    ['1m20s', 4],
    ['2m40s', 5],
    ['5m0s', 6],
    ['5m0s', 7],
    ['5m0s', 8],
  ]);
  const { name, uid } = only('base');
  expect(waits[0]?.state.waiting).toEqual({
    reason: 'CrashLoopBackOff',
    message: `back-off 10s restarting failed container=base pod=${name}_${namespace}(${uid})`,
  });
  expect(
    states.slice(0, 4).map(({ state, ready, restartCount }) => [Object.keys(state)[0], ready, restartCount]),
  ).toEqual([
    ['terminated', false, 0],
    ['running', false, 1],
    ['terminated', false, 1],
    ['waiting', false, 1],
  ]);
  // It is tried at the end of each back-off, and fails again.
  const exits = states.filter(({ state }) => state.terminated !== undefined).map(({ at }) => at);
  const starts = states.filter(({ state }) => state.running !== undefined).map(({ at }) => at);
  const pauses = exits.map((exit, index) => (starts[index] ?? NaN) - exit).filter((pause) => !Number.isNaN(pause));
  expect(pauses.map((pause) => Math.round(pause / 1_000))).toEqual([1, 10, 20, 40, 80, 160, 300, 300]);
  expect(podObjects()[0].status).toMatchObject({
    phase: 'Running',
    containerStatuses: [{ ready: false, started: false, lastState: { terminated: { exitCode: 1, reason: 'Error' } } }],
  });
  expect(isReady(podObjects()[0])).toBe(false);
  const pod = only('base');
  expect(pod).toMatchObject({ crashLooping: true, ready: false, restarts: 8, ending: false });
  expect(pod.backOffUntil! - clock.now()).toBeLessThan(300_000);
  plane.up('base');
  await clock.advanceTo(pod.backOffUntil! - 1);
  expect(only('base').crashLooping).toBe(true);
  await clock.advanceBy(1_500);
  expect(only('base')).toMatchObject({ crashLooping: false, ready: true, restarts: 9, backOffUntil: undefined });
});

test('7.3 a kubelet of 1.33 or later says CrashLoopBackOff a minute or more after the exit, and not at all of a shorter back-off', async () => {
  await begin([{ ...base, looksLate: true }]);
  const told = changes();
  plane.down('base');
  await clock.advanceBy(600_000);
  const states = told.map(({ at, revision }) => ({ at, ...statusOf(revision.object) }));
  const exits = states.filter(({ state }) => state.terminated !== undefined);
  const afterExit = states.flatMap(({ at, state, restartCount }) => {
    const exit = exits.find((one) => one.restartCount === restartCount);
    return state.waiting === undefined ? [] : [[restartCount, at - exit!.at] as const];
  });
  for (const [, late] of afterExit) expect(late).toBeGreaterThanOrEqual(60_000);
  for (const [, late] of afterExit) expect(late).toBeLessThanOrEqual(90_000);
  expect(afterExit[0]?.[0]).toBeGreaterThan(3);
  expect(only('base')).toMatchObject({ crashLooping: true });
});

test('a container that ran for ten minutes is forgiven', async () => {
  await begin([base]);
  plane.down('base');
  await clock.advanceBy(60_000);
  plane.up('base');
  await clock.advanceBy(700_000);
  expect(plane.isWell).toBe(true);
  plane.down('base');
  await clock.advanceBy(600);
  expect(only('base')).toMatchObject({ crashLooping: false, ready: false });
  await clock.advanceBy(2_500);
  expect(only('base').backOffUntil! - clock.now()).toBeLessThan(10_000);
});

test('7.3 a crash-looping pod that is deleted is replaced by one without a back-off, under a new name, before it is gone', async () => {
  await begin([base]);
  plane.down('base');
  await clock.advanceBy(120_000);
  const before = only('base');
  expect(before.crashLooping).toBe(true);
  plane.up('base');
  const told = changes();
  const askedAt = clock.now() - noon;
  remove(before);
  expect(only('base')).toMatchObject({ name: before.name, ending: true, crashLooping: true });
  await clock.advanceBy(100);
  expect(podsOf('base').map(({ ending, crashLooping }) => [ending, crashLooping])).toEqual([
    [true, true],
    [false, false],
  ]);
  // Once more does no harm.
  remove(before);
  await clock.advanceBy(4_000);
  const after = only('base');
  expect(after).toMatchObject({ ready: true, restarts: 0, ending: false });
  expect(after.name).not.toBe(before.name);
  expect(after.name.slice(0, -6)).toBe(before.name.slice(0, -6));
  const ofBefore = told.filter(({ revision }) => revision.object.metadata.uid === before.uid);
  expect(ofBefore.map(({ type, revision }) => [type, revision.object.metadata.deletionGracePeriodSeconds])).toEqual([
    ['MODIFIED', 30],
    ['MODIFIED', 0],
    ['DELETED', 0],
  ]);
  expect(ofBefore[2]!.at - askedAt).toBeGreaterThanOrEqual(300);
  expect(ofBefore[2]!.at - askedAt).toBeLessThanOrEqual(600);
  expect(isReady(podObjects()[0])).toBe(true);
});

test("7.3 a StatefulSet's pod comes back under its name with another uid, once the old one is gone", async () => {
  await begin([database]);
  const before = only('db');
  expect(before.name).toBe('db-0');
  const told = changes();
  plane.replace('db');
  await clock.advanceBy(10_000);
  expect(only('db')).toMatchObject({ name: 'db-0', ready: true, restarts: 0 });
  expect(only('db').uid).not.toBe(before.uid);
  const types = told.map(
    ({ type, revision }) => `${type} ${revision.object.metadata.uid === before.uid ? 'old' : 'new'}`,
  );
  expect(types.slice(0, 4)).toEqual(['MODIFIED old', 'MODIFIED old', 'DELETED old', 'ADDED new']);
  remove({ name: 'db-0', uid: only('db').uid });
  expect(() => remove({ name: 'db-0', uid: before.uid })).toThrow('does not match the UID in record');
});

test('6.6 a pod that a backup brings back under a name of a StatefulSet makes room for the next one', async () => {
  await begin([database]);
  const { storage } = seed.api;
  const old = storage.store.of(kinds.pod).get(`${namespace}/db-0`)!;
  removeObject(storage, kinds.pod, old, { gracePeriodSeconds: 0 });
  createObject(storage, kinds.pod, { metadata: { name: 'db-0', namespace } });
  await clock.advanceBy(10_000);
  expect(only('db')).toMatchObject({ name: 'db-0', ready: true });
  expect(podObjects()).toHaveLength(1);
});

test('7.1 EndpointSlices follow the readiness of the pods, shortly after', async () => {
  await begin([{ ...database, replicas: 2 }]);
  const conditions = (): unknown => slices()[0].endpoints?.map(({ conditions: told }: Loose) => told) ?? null;
  const [well, ill] = [
    { ready: true, serving: true, terminating: false },
    { ready: false, serving: false, terminating: false },
  ];
  expect(slices()).toMatchObject([
    {
      addressType: 'IPv4',
      metadata: { labels: { 'kubernetes.io/service-name': 'db-client' } },
      endpoints: [
        { targetRef: { kind: 'Pod', name: 'db-0' } },
        { targetRef: { name: 'db-1', uid: podsOf('db')[1]?.uid } },
      ],
    },
  ]);
  expect(conditions()).toEqual([well, well]);
  plane.down('db');
  expect(conditions()).toEqual([well, well]);
  await clock.advanceBy(100);
  expect(conditions()).toEqual([ill, ill]);
  plane.up('db');
  await clock.advanceBy(30_000);
  expect(conditions()).toEqual([well, well]);
  remove(podsOf('db')[0]!);
  await clock.advanceBy(100);
  expect(conditions()).toEqual([{ ready: false, serving: true, terminating: true }, well]);
  await clock.advanceBy(600);
  // The new one has no address yet.
  expect(conditions()).toEqual([well]);
  await clock.advanceBy(2_000);
  expect(conditions()).toEqual([well, ill]);
  await clock.advanceBy(10_000);
  expect(conditions()).toEqual([well, well]);
});

test('7.1 a service without pods keeps one slice, which says null', async () => {
  await begin([database]);
  const { name } = slices()[0].metadata;
  const told: unknown[] = [];
  seed.api.storage.store
    .of(kinds.endpointSlice)
    .onChange(({ type, revision: { object } }) =>
      told.push([type, object.metadata.name, (object['endpoints'] as Loose)?.[0].conditions ?? null]),
    );
  remove(only('db'));
  await clock.advanceBy(10_000);
  const none = { ready: false, serving: false, terminating: false };
  expect(told).toEqual([
    ['MODIFIED', name, { ready: false, serving: true, terminating: true }],
    ['MODIFIED', name, null],
    ['MODIFIED', name, none],
    ['MODIFIED', name, { ...none, ready: true, serving: true }],
  ]);
});

test.each([
  [
    { replicas: 3, dualStack: true },
    { IPv4: [3], IPv6: [3] },
  ],
  [{ replicas: 5, endpointsPerSlice: 2 }, { IPv4: [1, 2, 2] }],
  [
    { replicas: 3, endpointsPerSlice: 1, dualStack: true },
    { IPv4: [1, 1, 1], IPv6: [1, 1, 1] },
  ],
  [{ replicas: 0 }, { IPv4: [0] }],
] as const)('7.1 a service with %j has slices with so many endpoints: %j', async (more, expected) => {
  await begin([{ ...base, service: 'many', ...more }]);
  const sizes = Map.groupBy(slices(), ({ addressType }) => addressType);
  const counted = [...sizes].map(([family, of]) => [
    family,
    of.map(({ endpoints }) => endpoints?.length ?? 0).toSorted((a, b) => a - b),
  ]);
  expect(Object.fromEntries(counted)).toEqual(expected);
  const all = slices().flatMap(({ endpoints }) => endpoints ?? []);
  expect(new Set(all.map(({ addresses }) => addresses[0])).size).toBe(all.length);
});

test('7.1 a slice goes with its last endpoint; a new pod gets a new one', async () => {
  await begin([{ ...base, service: 'many', replicas: 3, endpointsPerSlice: 1 }]);
  const before = slices().map(({ metadata }) => metadata.name);
  remove(podsOf('base')[0]!);
  await clock.advanceBy(100);
  expect(slices()).toHaveLength(3);
  await clock.advanceBy(700);
  expect(slices()).toHaveLength(2);
  await clock.advanceBy(5_000);
  expect(slices()).toHaveLength(3);
  expect(slices().filter(({ metadata }) => before.includes(metadata.name))).toHaveLength(2);
  expect(slices().every(({ endpoints }) => endpoints[0].conditions.ready)).toBe(true);
});

test('what a pod needs may be away for as long as it bears it; then its container exits', async () => {
  await begin([database, user]);
  plane.down('db');
  await clock.advanceBy(300);
  plane.up('db');
  await clock.advanceBy(3_700);
  // It was back in between: its patience begins anew.
  plane.replace('db');
  await clock.advanceBy(60_000);
  expect(only('db')).toMatchObject({ ready: true, restarts: 0 });
  expect(only('user')).toMatchObject({ ready: true, restarts: 0 });
  plane.down('db');
  await clock.advanceBy(5_000);
  expect(only('user').ready).toBe(true);
  await clock.advanceBy(1_100);
  expect(only('user').ready).toBe(false);
  await clock.advanceBy(60_000);
  expect(only('user')).toMatchObject({ crashLooping: true });
});

test.each(['init', 'sidecar'] as const)('7.3 it may be the %s container that lacks it', async (needy) => {
  await begin([database, { ...user, needy }]);
  expect(plane.isWell).toBe(true);
  plane.down('db');
  await clock.advanceBy(10_000);
  remove(only('user'));
  await clock.advanceBy(60_000);
  expect(only('user')).toMatchObject({ crashLooping: true, ready: false });
  const pod = podObjects().find(({ metadata }) => metadata.labels.role === 'user');
  expect(statusOf(pod, 'initContainerStatuses')).toMatchObject({
    name: `user-${needy}`,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    ready: false,
  });
  expect(statusOf(pod)).toMatchObject(
    needy === 'init'
      ? { state: { waiting: { reason: 'PodInitializing' } }, ready: false }
      : { state: { running: {} }, ready: true },
  );
  expect(pod.status.phase).toBe(needy === 'init' ? 'Pending' : 'Running');
  expect(pod.spec.initContainers[0].restartPolicy).toBe(needy === 'init' ? undefined : 'Always');
  plane.up('db');
  await clock.advanceBy(600_000);
  expect(plane.isWell).toBe(true);
  const healed = podObjects().find(({ metadata }) => metadata.labels.role === 'user');
  const early = statusOf(healed, 'initContainerStatuses');
  expect(early).toMatchObject({
    ready: true,
    state: needy === 'init' ? { terminated: { exitCode: 0, reason: 'Completed' } } : { running: {} },
  });
  expect(early.restartCount).toBeGreaterThan(1);
});

const isThere = (group: string): boolean => podsOf(group).some(({ ready }) => ready);

/** From the return of etcd until all is well; crash-looping pods of a group are deleted once its service is there, where told. */
const recovery = async (weeded: boolean): Promise<number> => {
  plane.down('etcd-main');
  await clock.advanceBy(600_000);
  expect(plane.pods.filter(({ ready }) => ready)).toEqual([]);
  plane.up('etcd-main');
  plane.replace('etcd-main');
  while (!isThere('etcd-main')) await clock.advanceBy(100);
  const from = clock.now();
  while (!plane.isWell && clock.now() - from < 1_000_000) {
    await clock.advanceBy(100);
    if (!weeded) continue;
    for (const pod of plane.pods) {
      const needed =
        gardenerControlPlane.find(({ name }) => name === pod.group)?.needs === 'kube-apiserver'
          ? 'kube-apiserver'
          : 'etcd-main';
      if (pod.crashLooping && !pod.ending && isThere(needed)) remove(pod);
    }
  }
  return clock.now() - from;
};

test('7.5 without etcd everything crash-loops; with it everything comes back by itself, and much sooner where it is weeded', async () => {
  await begin();
  expect(plane.pods).toHaveLength(8);
  expect(plane.isWell).toBe(true);
  const alone = await recovery(false);
  await clock.advanceBy(700_000);
  const weeded = await recovery(true);
  expect(alone).toBeGreaterThan(60_000);
  expect(alone).toBeLessThan(700_000);
  expect(weeded).toBeLessThan(30_000);
});

test('a pod that nobody keeps there ends as well, and is not replaced', async () => {
  await begin([]);
  const { storage } = seed.api;
  const containers = [crashLoopingContainer('c', clock.now())];
  const { object } = createObject(
    storage,
    kinds.pod,
    podObject({ name: 'plain', namespace, now: clock.now(), containers }),
  );
  expect(statusOf(object).state.waiting.reason).toBe('CrashLoopBackOff');
  remove({ name: 'plain', uid: object.metadata.uid });
  expect(podObjects()[0].metadata.deletionTimestamp).toBeDefined();
  await clock.advanceBy(600);
  expect(podObjects()).toEqual([]);
  await clock.advanceBy(60_000);
  expect(podObjects()).toEqual([]);
});

test('kubectl is told what one looks for', async () => {
  await begin([base]);
  const wire = seedWire(seed);
  wire.accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const rows = async (): Promise<unknown> =>
    (await wire.get(path)).body.rows.map(({ cells }: Loose) => cells.slice(1, 4));
  expect(await rows()).toEqual([['1/1', 'Running', '0']]);
  plane.down('base');
  await clock.advanceBy(100);
  expect(await rows()).toEqual([['0/1', 'Error', '0']]);
  await clock.advanceBy(10_000);
  expect(await rows()).toEqual([['0/1', 'CrashLoopBackOff', '1']]);
  remove(only('base'));
  expect(await rows()).toEqual([['0/1', 'Terminating', '1']]);
  await wire.close();
});

test('at rest nothing runs; a control plane that is removed leaves nothing behind', async () => {
  await begin();
  expect(clock.sleeping).toBe(0);
  expect(seed.controlPlanes).toEqual([plane]);
  expect(() => seed.addControlPlane(namespace)).toThrow('has a control plane already');
  expect(() => plane.down('nobody')).toThrow('has no nobody');
  plane.down('etcd-main');
  await clock.advanceBy(100_000);
  remove(plane.pods[1]!);
  seed.removeControlPlane(namespace);
  expect(seed.controlPlanes).toEqual([]);
  const { store } = seed.api.storage;
  expect([kinds.pod, kinds.endpointSlice].map((kind) => store.of(kind).size)).toEqual([0, 0]);
  expect(store.of(kinds.namespace).get(namespace)).toBeUndefined();
  await clock.advanceBy(1_000_000);
  expect(store.of(kinds.pod).size).toBe(0);
  expect(clock.sleeping).toBe(0);
});

test("a shoot's namespace may hold a control plane, which goes with the shoot", async () => {
  await begin(undefined, { shoots: 1 });
  await seed.removeShoot(namespace);
  const { store } = seed.api.storage;
  expect([kinds.pod, kinds.endpointSlice].map((kind) => store.of(kind).size)).toEqual([0, 0]);
  expect(store.of(kinds.namespace).get(namespace)).toBeUndefined();
});

test('many (250) control planes live through an outage on one timer, with a few writes for each start of a container', async () => {
  await begin();
  for (let made = 1; made < 250; made += 1) seed.addControlPlane(`shoot--many--${made}`);
  let writes = 0;
  seed.api.storage.store.of(kinds.pod).onChange(() => (writes += 1));
  for (const one of seed.controlPlanes) one.down('etcd-main');
  await clock.advanceBy(90_000);
  expect(clock.sleeping).toBe(1);
  for (const one of seed.controlPlanes) one.up('etcd-main');
  await clock.advanceBy(300_000);
  expect(seed.controlPlanes.every(({ isWell }) => isWell)).toBe(true);
  const starts = seed.controlPlanes.flatMap(({ pods }) => pods).reduce((sum, { restarts }) => sum + restarts, 0);
  expect(starts).toBeGreaterThan(2_000);
  expect(writes).toBeLessThanOrEqual(4 * starts);
  expect(clock.sleeping).toBe(0);
});
