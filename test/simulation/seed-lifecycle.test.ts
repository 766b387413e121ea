import { expect, test } from 'vitest';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import { kubeconfigText } from '@dwd/simulator/api/certificates.ts';
import { asObject, type JsonObject } from '@dwd/simulator/store/kube-object.ts';
import { createObject, replaceObject } from '@dwd/simulator/store/object-writes.ts';
import { watchedSeed, type WatchedSeed } from '../support/watched-seed.ts';

/** From a write to the seed to the turn that it leads to. */
const soon = 1_000;

/** Ways for a shoot to be none of the prober's business any more, each with its way back. */
const rests: Readonly<Record<string, Readonly<{ leave: Lever; back: Lever | 'its Cluster is written again' }>>> = {
  'is hibernated': { leave: (shoot) => shoot.hibernate(), back: (shoot) => shoot.wake() },
  migrates: { leave: (shoot) => shoot.migrate(), back: (shoot) => shoot.reconcile() },
  'migrates live': {
    leave: (shoot) => shoot.lastOperation('LiveMigrate', 'Processing'),
    back: (shoot) => shoot.reconcile(),
  },
  'is being deleted': {
    leave: (shoot) => shoot.markDeleted(),
    back: (shoot) => shoot.editShoot({ metadata: { deletionTimestamp: null } }),
  },
  'is gone': { leave: (shoot) => shoot.delete(), back: 'its Cluster is written again' },
  'has no workers': { leave: (shoot) => shoot.makeWorkerless(), back: (shoot) => shoot.giveWorkers() },
  'cannot be read': { leave: (shoot) => shoot.makeUnreadable(), back: 'its Cluster is written again' },
};

type Lever = (shoot: EmbeddedShoot) => void;

test('3.1 6.10 whyever a shoot that is scaled down rests, it stays so, and is asked at once when it is back', async () => {
  const ways = Object.entries(rests);
  await using stage = await watchedSeed({ shoots: ways.length, sharedCertificates: true });
  const { shoots } = stage.seed;
  await stage.until(() => shoots.every((_, index) => stage.probes(index) === 1), 40_000);
  for (const shoot of shoots) shoot.cutOff();
  await stage.until(() => stage.areAll('scaledDown'), 45_000, 'all are down');
  for (const shoot of shoots) shoot.heal();

  const before = shoots.map((_, index) => clusterOf(stage, index));
  for (const [index, [, { leave }]] of ways.entries()) leave(shoots[index]!);
  await stage.until(() => stage.areAll('idle'), soon, 'all rest');
  const requests = shoots.map(({ api }) => api.requests.count);
  const writes = stage.changes.all.length;
  await stage.pass(60_000);
  expect(shoots.map(({ api }) => api.requests.count)).toEqual(requests);
  expect(stage.changes.all).toHaveLength(writes);

  for (const [index, [, { back }]] of ways.entries())
    if (typeof back === 'function') back(shoots[index]!);
    else writeCluster(stage, before[index]!, index);
  await stage.until(
    () => shoots.every(({ api }, index) => api.requests.count > requests[index]!),
    soon,
    'all are asked',
  );
  // A first look is not sure that the leases are fresh (5.1).
  await stage.until(() => stage.areAll('scalingUp'), 13_000, 'all come up');
  await stage.until(() => stage.areAll('probing'), 60_000, 'all are up');
  for (const [index, [name]] of ways.entries()) expectAllBack(stage, index, name);
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

function clusterOf(stage: WatchedSeed, index = 0): JsonObject {
  return stage.seed.api.storage.store.of(kinds.cluster).get(stage.shoot(index).name)!.object;
}

/** Writes the Cluster as it was, whether it is there or not. */
function writeCluster(stage: WatchedSeed, cluster: JsonObject, index = 0): void {
  const { storage } = stage.seed.api;
  const { name } = stage.shoot(index);
  const current = storage.store.of(kinds.cluster).get(name);
  const written = { ...cluster, metadata: { name } };
  if (current === undefined) createObject(storage, kinds.cluster, written);
  else replaceObject(storage, kinds.cluster, current, written);
}

function expectAllBack(stage: WatchedSeed, index: number, name: string): void {
  const { dependants } = stage.shoot(index);
  const standing = dependants.names.map((one) => dependants.get(one));
  const back = dependants.names.map(() => ({ desired: 1, ready: 1, annotations: {} }));
  expect(standing, `of a shoot that ${name}`).toEqual(back);
}
