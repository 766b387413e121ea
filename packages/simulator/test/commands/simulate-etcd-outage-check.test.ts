import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { deletionChanges } from '../../commands/simulate/etcd-outage/deletion-check.ts';
import type { Deletion } from '../../commands/simulate/etcd-outage/etcd-events.ts';
import { ServiceTimes } from '../../commands/simulate/etcd-outage/stages.ts';
import { weederGrants, weederUser } from '../../commands/simulate/etcd-outage/etcd-outage.ts';
import { readKubeconfig } from 'dependency-watchdog/domain/prober/kubeconfig.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '../../embedded-seed.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { gardenerWeederConfig } from '@dwd/testing/weeder-configs.ts';

/** It stands still unless told, so that a pod that is being deleted is still there. */
const clock = new VirtualClock(1_790_000_000_000);
const namespace = 'shoot--demo--01';
const user = weederUser;
const seen: Deletion[] = [];
let seed: EmbeddedSeed;
let ask: (by: string, method: 'GET' | 'DELETE', path: string, uid?: string) => Promise<number>;

beforeAll(async () => {
  const size = { shoots: 0, nodes: 0 };
  seed = await startEmbeddedSeed({
    clock,
    chance: seededChance(1),
    config: gardenerConfig,
    ...size,
    authorize: weederGrants,
  });
  seed.addControlPlane(namespace);
  const times = new ServiceTimes(seed, clock);
  deletionChanges({ seed, clock, config: gardenerWeederConfig, times, user, slack: 1_000 }).subscribe((one) =>
    seen.push(one),
  );
  const users = new Map([user, 'somebody'].map((name) => [name, seed.addUser(name)]));
  ask = async (by, method, path, uid) => {
    const reading = readKubeconfig(parse(users.get(by)!));
    if (!reading.usable) throw new Error(reading.problem);
    const { server, ca, token } = reading.credentials;
    const dispatcher = new Agent({ connect: { ca }, allowH2: false });
    const { statusCode, body } = await request(`https://${server.host}:${server.port}${path}`, {
      dispatcher,
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(uid === undefined ? {} : { body: JSON.stringify({ preconditions: { uid } }) }),
    });
    await body.dump();
    await dispatcher.close();
    return statusCode;
  };
});
afterAll(() => seed.stop());

function podOf(group: string) {
  const pod = seed.controlPlanes[0]!.pods.find((one) => one.group === group && !one.ending)!;
  return { ...pod, path: `/api/v1/namespaces/${namespace}/pods/${pod.name}` };
}

/** Within two minutes; fails where it does not come to that. */
async function crashLooping(group: string) {
  for (let waited = 0; waited < 120 && !podOf(group).crashLooping; waited += 1) await clock.advanceBy(1_000);
  expect(podOf(group).crashLooping).toBe(true);
  return podOf(group);
}

test('S8 a pod that is well, deleted by the weeder, is a fault; deleted again, it is another', async () => {
  const { name, path, uid } = podOf('kube-scheduler');
  expect(await ask(user, 'DELETE', path, uid)).toBe(200);
  expect(await ask(user, 'DELETE', path, uid)).toBe(200);
  expect(seen.splice(0)).toMatchObject([
    { pod: name, stage: 'controllers', fault: 'was deleted while it did not crash-loop' },
    { pod: name, stage: 'controllers', fault: 'was deleted twice' },
  ]);
});

test('S8 what the seed refuses is no deletion, and what others delete is not the weeder’s', async () => {
  const { path } = podOf('kube-apiserver');
  expect(await ask(user, 'DELETE', path, 'another-one')).toBe(409);
  expect(await ask(user, 'DELETE', `${path}-x`)).toBe(404);
  expect(await ask('somebody', 'DELETE', path)).toBe(200);
  expect(seen).toEqual([]);
});

test('S8 7.3 a pod that crash-loops is deleted rightly while its service is back, and wrongly while it is away', async () => {
  const plane = seed.controlPlanes[0]!;
  plane.down('kube-controller-manager');
  const first = await crashLooping('kube-controller-manager');
  expect(await ask(user, 'DELETE', first.path, first.uid)).toBe(200);
  plane.down('etcd-main');
  const second = await crashLooping('kube-apiserver');
  expect(await ask(user, 'DELETE', second.path, second.uid)).toBe(200);
  expect(seen.splice(0)).toMatchObject([
    { pod: first.name, stage: 'controllers', fault: null },
    { pod: second.name, stage: 'apiServers', fault: 'was deleted outside of any window' },
  ]);
});

test('S8 a pod that has just begun its next try may be deleted on the news before; later it may not', async () => {
  const { path, uid, backOffUntil } = await crashLooping('kube-scheduler');
  await clock.advanceTo(backOffUntil! + 900);
  expect(podOf('kube-scheduler')).toMatchObject({ uid, crashLooping: false });
  const away = seed.controlPlanes[0]!.pods.filter(({ group }) => group === 'kube-apiserver');
  expect(away.some(({ ready }) => ready)).toBe(false);
  expect(await ask(user, 'DELETE', path, uid)).toBe(200);
  // What it needs is away, and that is all that is wrong.
  expect(seen.splice(0)).toMatchObject([{ fault: 'was deleted outside of any window' }]);
  const next = await crashLooping('cluster-autoscaler');
  await clock.advanceTo(next.backOffUntil! + 1_100);
  expect(await ask(user, 'DELETE', next.path, next.uid)).toBe(200);
  expect(seen.splice(0)).toMatchObject([{ fault: 'was deleted while it did not crash-loop' }]);
});

test('7 the weeder is granted what Gardener grants it, and no more', async () => {
  expect(await ask(user, 'GET', '/apis/discovery.k8s.io/v1/endpointslices')).toBe(200);
  expect(await ask(user, 'GET', '/api/v1/secrets')).toBe(403);
  expect(await ask(user, 'DELETE', `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices/x`)).toBe(403);
  expect(await ask('somebody', 'GET', '/api/v1/secrets')).toBe(200);
});
