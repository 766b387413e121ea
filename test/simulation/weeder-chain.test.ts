import { expect, test } from 'vitest';
import type { Instant, Millis } from '../../src/domain/time.ts';
import { readSlice } from '../../src/domain/weeder/service-slices.ts';
import type { ControlPlane } from '@dwd/simulator/workloads/control-plane.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { watchedWeeder, type WatchedWeeder } from '../support/watched-weeder.ts';

const namespace = 'shoot--demo--01';
const etcdService = 'etcd-main-client';
const apiService = 'kube-apiserver';
const minute: Millis = 60_000;

/** A control plane that lost its etcd for long, when etcd has just been replaced, and the API servers still have minutes to wait. */
async function bereft(): Promise<Readonly<{ stage: WatchedWeeder; plane: ControlPlane }>> {
  const stage = await watchedWeeder();
  const plane = stage.seed.addControlPlane(namespace);
  // The windows of a service that was just seen for the first time are over.
  await stage.pass(6 * minute);
  plane.down('etcd-main');
  await stage.pass(15 * minute);
  const mustWait = () => plane.pods.filter(({ backOffUntil = 0 }) => backOffUntil - stage.clock.now() > 4 * minute);
  const apiServers = () => mustWait().filter(({ group }) => group === apiService);
  await stage.until(() => apiServers().length === 2, 12 * minute, 'the API servers have to wait for long');
  plane.up('etcd-main');
  stage.weeded.byHand(() => plane.replace('etcd-main'));
  return { stage, plane };
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
