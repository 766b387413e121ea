import { expect, test } from 'vitest';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import type { EmbeddedShoot } from '../../src/simulator/shoot/embedded-shoot.ts';
import { kubeconfigText } from '../../src/simulator/api/certificates.ts';
import { asObject, type JsonObject } from '../../src/simulator/store/kube-object.ts';
import { readinessOf } from '../../src/simulator/shoot/node-readiness.ts';
import { createObject, replaceObject } from '../../src/simulator/store/object-writes.ts';
import { condition } from '../../src/simulator/shoot/shoot-objects.ts';
import { gardenerConfig, watchedSeed, type WatchedSeed } from '../support/watched-seed.ts';

/** From a write to the seed to the turn that it leads to. */
const soon = 1_000;

/** Ways for a shoot to be none of the prober's business any more, each with its way back. */
const rests: Readonly<
  Record<string, Readonly<{ leave: Lever; back: (stage: WatchedSeed, before: JsonObject) => void }>>
> = {
  'is hibernated': { leave: (shoot) => shoot.hibernate(), back: (stage) => stage.shoot().wake() },
  migrates: { leave: (shoot) => shoot.migrate(), back: (stage) => stage.shoot().reconcile() },
  'migrates live': {
    leave: (shoot) => shoot.lastOperation('LiveMigrate', 'Processing'),
    back: (stage) => stage.shoot().reconcile(),
  },
  'is being deleted': {
    leave: (shoot) => shoot.markDeleted(),
    back: (stage) => stage.shoot().editShoot({ metadata: { deletionTimestamp: null } }),
  },
  'is gone': { leave: (shoot) => shoot.delete(), back: writeCluster },
  'has no workers': { leave: (shoot) => shoot.makeWorkerless(), back: (stage) => stage.shoot().giveWorkers() },
  'cannot be read': { leave: (shoot) => shoot.makeUnreadable(), back: writeCluster },
};

type Lever = (shoot: EmbeddedShoot) => void;

const table = Object.entries(rests).map(([name, rest]) => ({ name, ...rest }));

test.each(table)(
  '3.1 3.2 3.4 S3 a cut-off shoot that $name is left alone at once, and guarded again once it is back',
  async ({ name, leave, back }) => {
    await using stage = await watchedSeed({ config: await gardenerConfig() });
    const shoot = stage.shoot();
    await stage.until(() => stage.probes() === 1, 40_000);
    shoot.cutOff();
    await stage.pass(15_000);

    const before = clusterOf(stage);
    const requests = shoot.api.requests.count;
    leave(shoot);
    await stage.untilState('idle', soon);
    await stage.pass(90_000);
    expect(shoot.api.requests.count).toBe(requests);
    expect(stage.changes.all).toEqual([]);

    const probes = stage.probes();
    back(stage, before);
    await stage.untilState('probing', soon);
    // A Cluster that could not be read has interrupted the probing; whatever else comes back begins anew.
    const isInterrupted = name === 'cannot be read';
    await stage.pass(isInterrupted ? soon : 29_000);
    expect(stage.probes()).toBe(probes + (isInterrupted ? 1 : 0));
    // What nobody has renewed for so long may be a clock that is behind: the next look decides, 12 s later (5.1).
    await stage.untilState('scaledDown', 25_000);
    shoot.heal();
    await stage.untilState('probing', 90_000);
    expectAllBack(stage);
  },
);

test.each(table)(
  '3.1 6.10 a shoot that is scaled down and $name stays so, and is asked at once when it is back',
  async ({ leave, back }) => {
    await using stage = await watchedSeed({ config: await gardenerConfig() });
    const shoot = stage.shoot();
    await stage.until(() => stage.probes() === 1, 40_000);
    shoot.cutOff();
    await stage.untilState('scaledDown', 45_000);
    shoot.heal();

    const before = clusterOf(stage);
    const requests = shoot.api.requests.count;
    const writes = stage.changes.all.length;
    leave(shoot);
    await stage.untilState('idle', soon);
    await stage.pass(60_000);
    expect([shoot.api.requests.count, stage.changes.all.length]).toEqual([requests, writes]);

    back(stage, before);
    await stage.untilState('scalingUp', soon);
    await stage.untilState('probing', 60_000);
    expectAllBack(stage);
  },
);

test.each(table)(
  '3.1 S3 of a shoot that $name nothing more is raised, not even what waits for its delay',
  async ({ leave, back }) => {
    await using stage = await watchedSeed();
    const shoot = stage.shoot();
    await stage.until(() => stage.probes() === 1, soon);
    shoot.cutOff();
    await stage.untilState('scaledDown', 45_000);
    shoot.heal();
    await stage.until(() => shoot.dependants.get('kube-controller-manager')?.ready === 1, 60_000);
    await stage.pass(10_000);

    const before = clusterOf(stage);
    leave(shoot);
    await stage.untilState('idle', soon);
    await stage.pass(60_000);
    expect(shoot.dependants.get('machine-controller-manager')).toMatchObject({ desired: 0, ready: 0 });
    expect(shoot.dependants.get('cluster-autoscaler')).toMatchObject({ desired: 0, ready: 0 });

    back(stage, before);
    await stage.untilState('probing', 60_000 + soon);
    await stage.until(() => shoot.dependants.get('cluster-autoscaler')?.desired === 1, 60_000);
    await stage.untilState('probing', 10_000);
    expectAllBack(stage);
  },
);

test('3.2 a shoot that wakes up is guarded when it is awake, one that is created when it is there', async () => {
  await using stage = await watchedSeed();
  const shoot = stage.shoot();
  await stage.until(() => stage.probes() === 1, soon);
  shoot.hibernate();
  await stage.untilState('idle', soon);
  shoot.editShoot({ spec: { hibernation: { enabled: false } } });
  await stage.pass(60_000);
  expect([stage.state(), stage.probes()]).toEqual(['idle', 1]);
  shoot.lastOperation('Create', 'Processing');
  shoot.wake();
  await stage.pass(60_000);
  expect([stage.state(), stage.probes()]).toEqual(['idle', 1]);
  shoot.lastOperation('Create', 'Succeeded');
  await stage.until(() => stage.probes() === 2, soon);
});

test('3.4 a Cluster that cannot be read pauses its shoot and no other, and is said once', async () => {
  await using stage = await watchedSeed({ shoots: 2 });
  await stage.until(() => stage.probes(0) === 1 && stage.probes(1) === 1, soon);
  stage.shoot().makeUnreadable();
  await stage.untilState('idle', soon);
  await stage.pass(soon);
  const said = () => [stage.notices.filter(({ kind }) => kind === 'unreadable').length, stage.notesOf('paused').length];
  const saidSoFar = said();
  const probes = [stage.probes(0), stage.probes(1)];

  const unreadable = clusterOf(stage);
  writeCluster(stage, { ...unreadable, spec: { ...asObject(unreadable['spec']), seed: { kind: 'Seed' } } });
  await stage.pass(120_000);
  expect(stage.probes(0)).toBe(probes[0]);
  expect(stage.probes(1) - probes[1]!).toBeGreaterThanOrEqual(3);
  expect(Math.min(...saidSoFar)).toBeGreaterThan(0);
  expect(said()).toEqual(saidSoFar);
});

test('4.1 a rotated Secret is used from the next probe on; the old token is never shown again', async () => {
  await using stage = await watchedSeed();
  const shoot = stage.shoot();
  for (let turn = 0; turn < 3; turn += 1) {
    await stage.until(() => stage.shootCodes.length === 2 * (turn + 1), 40_000);
    await stage.pass(1_000);
    shoot.rotateSecret();
  }
  await stage.until(() => stage.shootCodes.length === 8, 40_000);
  expect(stage.shootCodes).toEqual(Array.from({ length: 8 }, () => '200'));
});

test('4.1 4.4 a token that is refused, missing, or in no Secret costs the probe and nothing else, and a new one is used within seconds', async () => {
  await using stage = await watchedSeed();
  const shoot = stage.shoot();
  await stage.until(() => stage.probes() === 1, soon);
  shoot.cutOff();
  await stage.pass(10_000);

  shoot.api.tokens.clear();
  await stage.until(() => stage.shootCodes.includes('401'), 40_000);
  const ca = shoot.api.certificates.ca;
  shoot.writeSecret(kubeconfigText({ name: shoot.name, server: shoot.api.url, ca, token: '' }));
  await stage.pass(20_000);
  shoot.removeSecret();
  await stage.pass(20_000);
  shoot.writeSecret('none of them');
  await stage.pass(20_000);
  expect(stage.changes.all).toEqual([]);
  const requests = shoot.api.requests.count;
  await stage.pass(20_000);
  expect(shoot.api.requests.count).toBe(requests);

  shoot.rotateSecret();
  await stage.untilState('scaledDown', 40_000);
});

test('3.3 a longer grace takes effect at once: the leases have time', async () => {
  await using stage = await watchedSeed();
  const shoot = stage.shoot();
  await stage.until(() => stage.probes() === 1, soon);
  shoot.cutOff();
  await stage.pass(10_000);
  const cutAt = stage.clock.now() - 10_000;
  shoot.setGrace('2m0s', 120_000);
  await stage.untilState('scaledDown', 120_000);
  const first = stage.changes.ours[0]!;
  // The last renewals were up to 10 s before the cut.
  expect(first.at - cutAt).toBeGreaterThan(80_000);
  expect(first.at - cutAt).toBeLessThan(90_000 + soon);
  expect(stage.marks).toBe(0);
});

test('3.3 a shorter grace takes effect at once: leases that were good enough are not any more', async () => {
  await using stage = await watchedSeed();
  const shoot = stage.shoot();
  await stage.until(() => stage.probes() === 1, soon);
  shoot.cutOff();
  await stage.pass(19_000);
  expect(stage.changes.all).toEqual([]);
  shoot.setGrace('24s', 24_000);
  await stage.untilState('scaledDown', soon);
  expect(stage.marks).toBe(0);
});

test('3.3 5.2 a condition that a pool begins to count as unhealthy counts at once', async () => {
  await using stage = await watchedSeed();
  const shoot = stage.shoot();
  await stage.until(() => stage.probes() === 1, soon);
  const broken = shoot.nodes.slice(0, 3);
  for (const node of broken) setCondition(shoot, node, 'CoolingFailed');
  shoot.cutOff(broken);
  await stage.untilState('scaledDown', 45_000);

  const worker = { name: 'worker', machineControllerManager: { nodeConditions: ['CoolingFailed'] } };
  shoot.editShoot({ spec: { provider: { workers: [worker] } } });
  await stage.untilState('scalingUp', soon);
  expect(stage.notesOf('verdict').at(-1)).toMatchObject({ verdict: 'connected', expired: 0, candidates: 2 });
});

function clusterOf(stage: WatchedSeed): JsonObject {
  return stage.seed.api.storage.store.of(kinds.cluster).get(stage.shoot().name)!.object;
}

/** Writes the Cluster as it was, whether it is there or not. */
function writeCluster(stage: WatchedSeed, cluster: JsonObject): void {
  const { storage } = stage.seed.api;
  const { name } = stage.shoot();
  const current = storage.store.of(kinds.cluster).get(name);
  const written = { ...cluster, metadata: { name } };
  if (current === undefined) createObject(storage, kinds.cluster, written);
  else replaceObject(storage, kinds.cluster, current, written);
}

function setCondition({ api }: EmbeddedShoot, node: string, type: string): void {
  const current = api.storage.store.of(kinds.node).get(node)!;
  const ready = condition('Ready', readinessOf(api.storage, node)!, 'KubeletReady', api.storage.clock.now());
  const status = { conditions: [ready, condition(type, 'True', 'Seen', api.storage.clock.now())] };
  replaceObject(api.storage, kinds.node, current, { ...current.object, status }, 'status');
}

function expectAllBack(stage: WatchedSeed): void {
  const { dependants } = stage.shoot();
  expect(dependants.names.map((name) => dependants.get(name))).toEqual(
    dependants.names.map(() => ({ desired: 1, ready: 1, annotations: {} })),
  );
}
