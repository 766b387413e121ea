import { expect, test } from 'vitest';
import type { Millis } from '../../src/domain/time.ts';
import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import { watchedWeeder, type WatchedWeeder } from '../support/watched-weeder.ts';

const minute: Millis = 60_000;
const namespaces = ['shoot--demo--01', 'shoot--demo--02', 'shoot--demo--03'];
const [first = '', second = ''] = namespaces;

/** Two selectors for the one service, one for the other. */
const config: WeederConfig = {
  watchDuration: 5 * minute,
  services: [
    { name: 'etcd-main-client', podSelectors: ['role in (apiserver)', 'app in (backup)'] },
    { name: 'kube-apiserver', podSelectors: ['role notin (apiserver,main)'] },
  ],
};

/** Every service is available, and its first window over. */
async function settled(): Promise<WatchedWeeder> {
  const stage = await watchedWeeder({ config });
  for (const namespace of namespaces)
    for (const { name } of config.services) stage.plain.slice(namespace, name, [true, true]);
  await stage.pass(6 * minute);
  stage.takeRequests();
  return stage;
}

test('7.2 at rest the seed holds one watch, and is asked for nothing', async () => {
  await using stage = await settled();
  const { connections } = stage.seed.api;
  expect(stage.seed.api.watches).toBe(1);
  // Longer than the seed keeps a watch: that one is opened anew, and nothing else is asked.
  for (let round = 0; round < 15; round += 1) {
    for (const namespace of namespaces) stage.plain.add(namespace, `some-pod-${round}`);
    stage.plain.slice(first, 'etcd-main-client', [true, round % 2 === 0]);
    await stage.pass(minute);
  }
  const requests = stage.takeRequests();
  expect(new Set(requests)).toEqual(new Set(['watch endpointslices']));
  expect(requests.length).toBeLessThanOrEqual(3);
  expect(stage.seed.api.connections - connections).toBeLessThanOrEqual(requests.length);
  expect(stage.seed.api.watches).toBe(1);
  expect(stage.weeded.all).toEqual([]);
});

test('7.2 a service that goes down costs nothing; its window costs one list and one watch of the namespace, which end with it', async () => {
  await using stage = await settled();
  stage.plain.slice(first, 'etcd-main-client', [false, false]);
  await stage.pass(2 * minute);
  expect(stage.seed.api.watches).toBe(1);

  stage.plain.slice(first, 'etcd-main-client', [false, true]);
  await stage.pass(2_000);
  expect(stage.seed.api.watches).toBe(2);
  expect(stage.takeRequests()).toEqual(['list pods', 'watch pods']);
  stage.plain.slice(second, 'kube-apiserver', []);
  await stage.pass(2_000);
  stage.plain.slice(second, 'kube-apiserver', [undefined]);
  await stage.pass(2_000);
  expect(stage.seed.api.watches).toBe(3);
  expect(stage.takeRequests()).toEqual(['list pods', 'watch pods']);

  // The first window ends some seconds before the second.
  await stage.until(() => stage.state(first, 'etcd-main-client') === 'settled', 5 * minute, 'the first window is over');
  expect(stage.state(second, 'kube-apiserver')).toBe('recovering');
  await stage.until(() => stage.seed.api.watches === 1, 5_000, 'the second window is over');
  // Kubernetes ends a watch after 5 minutes or later: within a window nothing is opened twice.
  expect(stage.takeRequests().filter((request) => request !== 'watch endpointslices')).toEqual([]);
});

test('7.2 two services of one namespace share its watch: the second costs nothing, and the watch ends with the later window', async () => {
  await using stage = await settled();
  for (const { name } of config.services) stage.plain.slice(first, name, [false]);
  await stage.pass(minute);
  stage.plain.add(first, 'a', { labels: { role: 'apiserver' } });
  stage.plain.add(first, 'b', { labels: { role: 'controller' } });
  stage.plain.slice(first, 'etcd-main-client', [true]);
  await stage.until(() => stage.weeded.all.length === 1, 5_000, 'the API server’s pod is deleted');
  await stage.pass(minute);
  expect(stage.weeded.names()).toEqual(['a']);
  // That it may not tell of it, it learns from the first event (9.5).
  expect(stage.takeRequests().toSorted()).toEqual(['create events', 'delete pods', 'list pods', 'watch pods']);
  stage.plain.slice(first, 'kube-apiserver', [true]);
  await stage.until(() => stage.weeded.all.length === 2, 5_000, 'the controller’s pod is deleted');
  expect(stage.takeRequests()).toEqual(['delete pods']);
  await stage.pass(4.5 * minute);
  expect(stage.state(first, 'etcd-main-client')).toBe('settled');
  expect(stage.seed.api.watches).toBe(2);
  await stage.pass(minute);
  expect(stage.seed.api.watches).toBe(1);
});

test('7.2 a service that flaps for the whole of its window costs no list each time, and each return is a new beginning of the time', async () => {
  await using stage = await settled();
  const flips = 40;
  for (let flip = 0; flip < flips; flip += 1) {
    stage.plain.slice(first, 'etcd-main-client', [flip % 2 === 1]);
    await stage.pass(10_000);
  }
  const requests = stage.takeRequests();
  expect(requests.filter((request) => request === 'list pods')).toHaveLength(1);
  expect(stage.seed.api.watches).toBe(2);
  expect(stage.notesOf('windowOpened').filter(({ extended }) => extended)).toHaveLength(flips / 2 - 1);
  await stage.pass(4.5 * minute);
  expect(stage.seed.api.watches).toBe(2);
  await stage.pass(minute);
  expect(stage.seed.api.watches).toBe(1);
});

test('7.2 a service that is gone within its window takes its watches along; one that comes gets a window of its own', async () => {
  await using stage = await settled();
  stage.plain.slice('shoot--demo--04', 'kube-apiserver', [true]);
  await stage.until(() => stage.seed.api.watches === 2, 2_000, 'its window');
  stage.plain.removeSlice('shoot--demo--04', 'kube-apiserver-1');
  await stage.until(() => stage.seed.api.watches === 1, 2_000, 'its window is over');
  expect(stage.turns.at(-1)).toMatchObject({ event: { type: 'ended', because: 'gone' } });
  stage.plain.add('shoot--demo--04', 'left-behind');
  await stage.pass(minute);
  expect(stage.plain.left).toContain('shoot--demo--04/left-behind');
});
