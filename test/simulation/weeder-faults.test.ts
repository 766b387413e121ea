import { expect, test } from 'vitest';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { Millis } from '../../src/domain/time.ts';
import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import type { SeenRequest } from '@dwd/simulator/api/request-log.ts';
import { watchedWeeder, type WatchedWeeder } from '../support/watched-weeder.ts';

const minute: Millis = 60_000;
const namespace = 'shoot--demo--01';
const service = 'kube-apiserver';
const config: WeederConfig = {
  watchDuration: 5 * minute,
  services: [{ name: service, podSelectors: ['role in (controller)', 'app'] }],
};
const controller = { labels: { role: 'controller' } };
/** Picked by both selectors. */
const both = { labels: { role: 'controller', app: 'x' } };

/** A service whose window is open, its namespace's watch too, and no pod at all. */
async function open(more: Partial<WeederConfig> = {}): Promise<WatchedWeeder> {
  const stage = await watchedWeeder({ config: { ...config, ...more } });
  stage.plain.slice(namespace, service, [true, false]);
  await stage.until(() => stage.seed.api.watches === 2, 5_000, 'the watch on pods is open');
  return stage;
}

const isDeletion = ({ verb }: SeenRequest): boolean => verb === 'delete';
const deletionsAt = ({ seed }: WatchedWeeder): readonly number[] =>
  seed.api.requests.all.filter(isDeletion).map(({ at }) => at);
const codes = ({ deletionCodes }: WatchedWeeder): readonly string[] => deletionCodes;

test('7.4 S8 watches that end, are cut, expire or send garbage again and again lose no pod, and delete none twice', async () => {
  await using stage = await open();
  const { api } = stage.seed;
  const chance = seededChance(11);
  const ways: readonly (() => void)[] = [
    () => api.breakWatches('pods'),
    () => api.breakWatches('endpointslices'),
    () => (api.compact(), api.expireWatches()),
    () => (api.compact(), api.breakWatches()),
    () => api.setFault({ kind: 'garble', as: 'text' }, ({ verb }) => verb === 'watch'),
    () => api.setFault({ kind: 'garble', as: 'json' }, ({ verb }) => verb === 'list'),
    () => api.setFault({ kind: 'garble', as: 'bytes' }, ({ resource }) => resource === 'pods'),
    () => api.setFault({ kind: 'cut' }, ({ verb }) => verb === 'list'),
    () => api.setFault({ kind: 'status', code: 500 }, ({ verb }) => verb === 'watch'),
    () => (api.compact(), api.setFault({ kind: 'status', code: 410 }, ({ verb }) => verb === 'watch')),
    () => api.setFault({ kind: 'throttle', retryAfterSeconds: 2 }, ({ verb }) => verb === 'list'),
    () => api.clearFault(),
  ];
  stage.weeded.lag = 2 * minute;
  const made = 60;
  for (let round = 0; round < made; round += 1) {
    api.tellsExpiredBy = chance() < 0.5 ? 'event' : 'status';
    ways[Math.floor(chance() * ways.length)]?.();
    if (chance() < 0.5) api.breakWatches();
    stage.plain.add(namespace, `pod-${round}`, { ...(chance() < 0.5 ? both : controller), loops: 'main' });
    stage.plain.slice(namespace, service, [true, chance() < 0.5]);
    await stage.pass(chance() * 4_000);
  }
  api.clearFault();
  const taken = () => codes(stage).filter((code) => code === '200').length;
  await stage.until(() => stage.plain.left.length === 0 && taken() === made, 90_000, 'every pod is gone');
  expect(new Set(stage.weeded.names()).size).toBe(made);
  expect(stage.notices.filter(({ kind }) => kind === 'restarted').length).toBeGreaterThan(20);
});

test.each([
  ['500', { kind: 'status', code: 500 }],
  ['garbled', { kind: 'garble', as: 'text' }],
  ['unreachable', { kind: 'cut' }],
] as const)(
  '7.3 deletions that come to %s are repeated with back-off, until the window is over',
  async (code, fault) => {
    await using stage = await open();
    stage.seed.api.setFault(fault, isDeletion);
    stage.plain.add(namespace, 'kcm', controller);
    await stage.until(() => stage.state(namespace, service) === 'settled', 6 * minute);
    const tries = deletionsAt(stage);
    const pauses = tries.slice(1).map((at, index) => at - tries[index]!);
    expect(new Set(codes(stage))).toEqual(new Set([code]));
    expect(tries.length).toBeGreaterThan(8);
    expect(tries.length).toBeLessThan(24);
    expect(pauses[0]).toBeLessThan(1_500);
    expect(Math.max(...pauses)).toBeLessThan(31_000);
    expect(pauses.at(-1)).toBeGreaterThan(14_000);
    expect(stage.notesOf('windowClosed')).toEqual([{ kind: 'windowClosed', deleted: 0, left: 1 }]);
    stage.seed.api.clearFault();
    await stage.pass(2 * minute);
    expect(deletionsAt(stage)).toHaveLength(tries.length);
    expect(stage.plain.left).toEqual([`${namespace}/kcm`]);
  },
);

test('7.3 6.11 a deletion that takes the seed 12 s, as with a webhook that hangs, is waited for once two tries have shown it', async () => {
  await using stage = await open();
  stage.seed.api.latency = 12_000;
  stage.seed.api.isSlow = isDeletion;
  stage.plain.add(namespace, 'kcm', controller);
  await stage.until(() => codes(stage).length === 3, 30_000);
  // The embedded seed carries out what it was asked for though nobody waits for the answer any more.
  expect(codes(stage)).toEqual(['timeout', 'timeout', '404']);
  expect(stage.weeded.all).toHaveLength(1);
});

test('7.2 7.3 where the seed takes 12 s for everything, deletions wait until the services are followed again', async () => {
  await using stage = await open();
  stage.seed.api.latency = 12_000;
  stage.plain.add(namespace, 'kcm', controller);
  await stage.until(() => stage.plain.left.length === 0, 60_000);
  expect(stage.weeded.all).toHaveLength(1);
  expect(deletionsAt(stage).length).toBeLessThan(4);
});

test('7.3 S8 a pod that was replaced under its name before the deletion arrives is answered 409, and the new one lives', async () => {
  await using stage = await open();
  const { plain, weeded } = stage;
  const { api } = stage.seed;
  // What is asked of the seed is looked at before it is carried out: in between another has taken the name.
  const replaced: string[] = [];
  api.onRequest((asked) => {
    if (asked.verb === 'delete' && !replaced.includes(asked.name)) {
      replaced.push(asked.name);
      weeded.byHand(() => plain.remove(namespace, asked.name));
      plain.add(namespace, asked.name, { ...both, loops: replaced.length % 2 === 0 ? 'main' : null });
    }
  });
  for (const name of ['etcd-0', 'etcd-1', 'etcd-2', 'etcd-3']) plain.add(namespace, name, both);
  await stage.until(() => codes(stage).filter((code) => code === '409').length === 4, 5_000);
  // Those of the new ones that crash-loop themselves are deleted as what they are.
  await stage.until(() => weeded.all.length === 2, 35_000);
  await stage.pass(20_000);
  expect(codes(stage).toSorted()).toEqual(['200', '200', '409', '409', '409', '409']);
  expect(plain.left).toHaveLength(2);
});

test('7.3 S8 a deletion that the seed has taken, but whose answer is lost, leaves the pod that comes next under that name alone', async () => {
  await using stage = await open();
  const { plain, seed } = stage;
  const uid = plain.add(namespace, 'etcd-0', both);
  stage.weeded.onDeletion = () => void seed.api.down();
  await stage.until(() => codes(stage).length === 1, 2_000);
  stage.weeded.byHand(() => plain.remove(namespace, 'etcd-0'));
  plain.add(namespace, 'etcd-0', { ...both, loops: null });
  await seed.api.up();
  await stage.pass(minute);
  expect(stage.weeded.all.map((pod) => pod.uid)).toEqual([uid]);
  expect(codes(stage)[0]).toBe('unreachable');
  expect(plain.left).toEqual([`${namespace}/etcd-0`]);
});

test('7.4 7.2 a seed that is gone for a while: what recovered meanwhile is seen when it is back, and what crash-loops in open windows too', async () => {
  await using stage = await open();
  stage.plain.slice('shoot--demo--02', service, [false]);
  await stage.pass(1_000);
  stage.weeded.lag = 2 * minute;
  await stage.seed.api.down();
  stage.plain.slice('shoot--demo--02', service, [true]);
  stage.plain.add('shoot--demo--02', 'kcm', controller);
  stage.plain.add(namespace, 'kcm', both);
  await stage.pass(minute);
  await stage.seed.api.up();
  await stage.until(() => stage.weeded.all.length === 2, 40_000, 'both are gone');
  expect(
    stage.notices
      .filter(({ kind }) => kind === 'out')
      .map(({ stream }) => stream)
      .toSorted(),
  ).toEqual(expect.arrayContaining(['endpointslices', 'pods']));
  await stage.until(() => stage.seed.api.watches === 3, 40_000, 'all watches are open again');
});

test('7.2 7.4 a service that goes down and comes back while the seed is away gets its window, and another one gets none', async () => {
  await using stage = await open();
  stage.plain.slice('shoot--demo--02', service, [true]);
  await stage.pass(6 * minute);
  expect([namespace, 'shoot--demo--02'].map((one) => stage.state(one, service))).toEqual(['settled', 'settled']);
  stage.weeded.lag = minute;
  await stage.seed.api.down();
  stage.plain.slice(namespace, service, [false, false]);
  stage.plain.slice(namespace, service, [true, false]);
  for (const one of [namespace, 'shoot--demo--02']) stage.plain.add(one, 'kcm', controller);
  await stage.pass(12_000);
  await stage.seed.api.up();
  await stage.until(() => stage.weeded.all.length === 1, 40_000, 'the pod is gone');
  await stage.pass(10_000);
  expect(stage.weeded.names(namespace)).toEqual(['kcm']);
  expect(stage.state('shoot--demo--02', service)).toBe('settled');
});

test('S8 a weeder that crashes in the middle of its deletions, again and again, leaves nothing undone and deletes nothing twice', async () => {
  await using stage = await open();
  const made = 40;
  for (let index = 0; index < made; index += 1) stage.plain.add(namespace, `pod-${index}`, both);
  let crashes = 0;
  stage.weeded.onDeletion = ({ name }) => {
    if (Number(name.slice(4)) % 9 !== 4 || crashes > 5) return;
    crashes += 1;
    stage.crash();
  };
  while (stage.plain.left.length > 0) {
    await stage.until(() => !stage.runs || stage.plain.left.length === 0, minute);
    if (!stage.runs) await stage.start();
  }
  expect(crashes).toBeGreaterThanOrEqual(4);
  expect(new Set(stage.weeded.names()).size).toBe(made);
  expect(stage.weeded.all).toHaveLength(made);
});
