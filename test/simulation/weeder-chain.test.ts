import { expect, test } from 'vitest';
import type { Instant, Millis } from '../../src/domain/time.ts';
import { readSlice } from '../../src/domain/weeder/service-slices.ts';
import type { ControlPlane } from '../../src/simulator/workloads/control-plane.ts';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import { watchedWeeder, type WatchedWeeder } from '../support/watched-weeder.ts';

const namespace = 'shoot--demo--01';
const etcdService = 'etcd-main-client';
const apiService = 'kube-apiserver';
const minute: Millis = 60_000;

/** A control plane that lost its etcd for long, when etcd has just been replaced, and the API servers still have minutes to wait. */
async function bereft(later = false): Promise<Readonly<{ stage: WatchedWeeder; plane: ControlPlane }>> {
  const stage = await watchedWeeder({ later });
  const plane = stage.seed.addControlPlane(namespace);
  // The windows of a service that was just seen for the first time are over.
  await stage.pass(6 * minute);
  plane.down('etcd-main');
  await stage.pass(15 * minute);
  const mustWait = () => plane.pods.filter(({ backOffUntil = 0 }) => backOffUntil - stage.clock.now() > 4 * minute);
  const apiServers = () => mustWait().filter(({ group }) => group === apiService);
  await stage.until(() => apiServers().length === 2, 12 * minute, 'the API servers have to wait for long');
  bringBack(stage, plane);
  return { stage, plane };
}

function bringBack({ weeded }: WatchedWeeder, plane: ControlPlane): void {
  plane.up('etcd-main');
  weeded.byHand(() => plane.replace('etcd-main'));
}

test('7.5 7.2 7.3 S8 etcd is back after an outage: the API servers are restarted at once, then their service’s dependants, and all is well in a minute', async () => {
  const { stage, plane } = await bereft();
  await using _ = stage;
  // Nobody is deleted while nothing can get better.
  expect(stage.weeded.all).toEqual([]);
  const etcd = await availableAt(stage, etcdService);
  const api = await availableAt(stage, apiService);
  await stage.until(() => plane.isWell, 2 * minute, 'all is well');
  const apiServers = stage.weeded.all.filter(({ name }) => name.startsWith(apiService));
  const controllers = stage.weeded.all.filter((pod) => !apiServers.includes(pod));
  expect(apiServers).toHaveLength(2);
  for (const { at } of apiServers) expect(at - etcd).toBeLessThan(1_000);
  // One that happened to try just then is not in CrashLoopBackOff, and needs nobody's help.
  expect(controllers.length).toBeGreaterThanOrEqual(3);
  expect(controllers.some(({ at }) => at - api < 1_000)).toBe(true);
  for (const { at } of controllers) expect(at).toBeGreaterThanOrEqual(api);
  expect(stage.clock.now() - etcd).toBeLessThan(minute);
  await stage.pass(6 * minute);
  expect([etcdService, apiService].map((service) => stage.state(namespace, service))).toEqual(['settled', 'settled']);
  expect(stage.seed.api.watches).toBe(1);
  expect(stage.notesOf('windowClosed').slice(-2)).toEqual([
    { kind: 'windowClosed', deleted: 2, left: 0 },
    { kind: 'windowClosed', deleted: controllers.length, left: 0 },
  ]);
});

test('7.5 the same outage without a weeder takes minutes more', async () => {
  const { stage, plane } = await bereft(true);
  await using _ = stage;
  await stage.until(() => isUp(stage, etcdService), 6 * minute);
  const etcd = stage.clock.now();
  await stage.until(() => plane.isWell, 20 * minute, 'all is well');
  expect(stage.clock.now() - etcd).toBeGreaterThan(3 * minute);
});

test('7.2 7.5 etcd that dies again within the window: what is not deleted is left alone until it is back, and the time begins anew', async () => {
  const { stage, plane } = await bereft();
  await using _ = stage;
  await availableAt(stage, etcdService);
  await stage.until(() => stage.weeded.all.length > 0, minute);
  await stage.pass(2_000);
  const deleted = stage.weeded.all.length;
  plane.down('etcd-main');
  await stage.until(() => stage.state(namespace, etcdService) === 'relapsed', 5_000);
  // The API servers that were just restarted crash-loop again.
  await stage.pass(4 * minute);
  expect(stage.weeded.all).toHaveLength(deleted);
  bringBack(stage, plane);
  const again = await availableAt(stage, etcdService);
  await stage.until(() => plane.isWell, 2 * minute, 'all is well');
  expect(stage.clock.now() - again).toBeLessThan(minute + 20_000);
});

test('7.2 7.5 a weeder that is started after the recovery looks after the dependants all the same', async () => {
  const { stage, plane } = await bereft(true);
  await using _ = stage;
  await stage.until(() => isUp(stage, etcdService), 6 * minute);
  await stage.start();
  const startedAt = stage.clock.now();
  await stage.until(() => plane.isWell, 2 * minute, 'all is well');
  expect(stage.clock.now() - startedAt).toBeLessThan(minute);
});

test.each(['init', 'sidecar'] as const)(
  '7.3 a dependant whose %s container crash-loops is restarted too',
  async (needy) => {
    await using stage = await watchedWeeder();
    const common = { replicas: 1, startTime: 1_000, toleratesFor: 0 };
    const plane = stage.seed.addControlPlane(namespace, [
      { ...common, name: 'etcd', labels: {}, service: etcdService },
      {
        ...common,
        name: 'api',
        labels: { 'gardener.cloud/role': 'controlplane', role: 'apiserver' },
        needs: etcdService,
        needy,
      },
    ]);
    await stage.pass(6 * minute);
    plane.down('etcd');
    if (needy === 'init') stage.weeded.byHand(() => plane.replace('api'));
    await stage.pass(15 * minute);
    plane.up('etcd');
    await availableAt(stage, etcdService);
    await stage.until(() => plane.isWell, 20_000, 'all is well');
    expect(stage.weeded.all).toHaveLength(1);
  },
);

test('7.1 7.5 a service of two address families, two endpoints a slice, is one service: one window, whatever order its slices come in', async () => {
  await using stage = await watchedWeeder();
  const plane = stage.seed.addControlPlane(namespace, [
    {
      name: 'etcd',
      labels: {},
      service: etcdService,
      replicas: 5,
      dualStack: true,
      endpointsPerSlice: 2,
      startTime: 1_000,
      toleratesFor: 0,
    },
    {
      name: 'api',
      labels: { 'gardener.cloud/role': 'controlplane', role: 'apiserver' },
      replicas: 2,
      needs: etcdService,
      startTime: 1_000,
      // Their back-offs are not in step with those of etcd.
      toleratesFor: 90_000,
    },
  ]);
  await stage.pass(6 * minute);
  const windows = stage.notesOf('windowOpened').length;
  plane.down('etcd');
  await stage.pass(15 * minute);
  plane.up('etcd');
  await availableAt(stage, etcdService);
  await stage.until(() => plane.isWell, 6 * minute, 'all is well');
  await stage.pass(6 * minute);
  expect(stage.notesOf('windowOpened')).toHaveLength(windows + 1);
  expect(stage.weeded.all).toHaveLength(2);
});

function isUp({ seed }: WatchedWeeder, service: string): boolean {
  return seed.api.storage.store
    .of(kinds.endpointSlice)
    .list(namespace)
    .some(({ object }) => {
      const reading = readSlice(object);
      return reading?.service === service && reading.view.ready > 0;
    });
}

/** The instant at which the seed says so; at most a long back-off is waited for it. */
async function availableAt(stage: WatchedWeeder, service: string): Promise<Instant> {
  await stage.until(() => isUp(stage, service), 6 * minute, `${service} is available`);
  return stage.clock.now();
}
