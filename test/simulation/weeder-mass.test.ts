import { expect, test } from 'vitest';
import type { Millis } from '../../src/domain/time.ts';
import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import type { SeenRequest } from '@dwd/simulator/api/request-log.ts';
import { bucketSize } from '../support/bucket-size.ts';
import { said, watchedWeeder, type WatchedWeeder } from '../support/watched-weeder.ts';

const service = 'kube-apiserver';
const config: WeederConfig = {
  watchDuration: 300_000,
  services: [{ name: service, podSelectors: ['tier in (one)', 'tier in (two)'] }],
};
const namespaceOf = (index: number): string => `shoot--many--${String(index).padStart(3, '0')}`;

/** They crash-loop, and depend on something else. */
const others = ['other-1', 'other-2', 'other-3', 'other-4'];

/** So many namespaces whose service is down, with two dependants each that crash-loop, one for each selector, and one that does not. */
async function struck(count: number, rate: Readonly<{ qps: number; burst: number }>): Promise<WatchedWeeder> {
  const stage = await watchedWeeder({ config, grain: 20, rate });
  const { plain } = stage;
  for (let index = 0; index < count; index += 1) {
    const namespace = namespaceOf(index);
    plain.slice(namespace, service, [false]);
    for (const [name, tier] of Object.entries({ a: 'one', b: 'two' })) plain.add(namespace, name, { labels: { tier } });
    for (const name of others) plain.add(namespace, name, { labels: { tier: 'three' } });
    plain.add(namespace, 'well', { labels: { tier: 'one' }, loops: null });
  }
  await stage.pass(5_000);
  stage.takeRequests();
  return stage;
}

const isDeletion = ({ verb }: SeenRequest): boolean => verb === 'delete';

/** Of CPU, on cores that are shared; the rate limit may add nothing to it, which is what the tests are about. */
const busy: Millis = 60_000;

test('1.2 7.3 S8 250 services of two selectors recover at once, with --kube-api-qps=20 --kube-api-burst=100: nobody waits for the rate limit, every dependant is gone, and no window is lost', async () => {
  const count = 250;
  await using stage = await struck(count, { qps: 20, burst: 100 });
  const { api } = stage.seed;
  for (let index = 0; index < count; index += 1) stage.plain.slice(namespaceOf(index), service, [true]);
  await stage.until(() => stage.weeded.all.length === 2 * count, busy, 'every dependant is gone');
  await stage.until(() => api.watches === 1 + count, busy, 'every window has its watch');
  // All of it rides in the bucket of its own: the ordinary one would have let 100 through, and 20 a second.
  const seen = api.requests.take().filter(({ resource }) => resource === 'pods');
  for (const some of [seen.filter(isDeletion), seen.filter((one) => !isDeletion(one))])
    expect(
      bucketSize(
        some.map(({ at }) => at),
        20,
      ),
    ).toBeGreaterThan(100);
  const counts = Map.groupBy(seen.map(said), (one) => one);
  expect([...counts.keys()].toSorted()).toEqual(['delete pods', 'list pods', 'watch pods']);
  expect(counts.get('delete pods')).toHaveLength(2 * count);
  expect(counts.get('watch pods')).toHaveLength(count);
  // On a starved core a list may be given up and asked for again.
  expect(counts.get('list pods')!.length).toBeGreaterThanOrEqual(count);
  expect(counts.get('list pods')!.length).toBeLessThanOrEqual(1.1 * count);
  expect(stage.heldBack.filter((by) => by !== 'rate')).toEqual([]);

  // What crash-loops later in the window is found by the last as by the first.
  for (const index of [0, count - 1]) stage.plain.turn(namespaceOf(index), 'well', true);
  await stage.until(() => stage.weeded.all.length === 2 * count + 2, busy, 'those of later are gone too');
  await stage.until(() => api.watches === 1, 301_000 + busy, 'all windows are over');
  expect(stage.notesOf('windowClosed')).toHaveLength(count);
  expect(stage.notesOf('windowClosed').every(({ left }) => left === 0)).toBe(true);
}, 150_000);

test.each([
  ['fail', { kind: 'status', code: 500 }, 60],
  ['are never answered', { kind: 'flood', as: 'drip' }, 300],
] as const)(
  '1.2 7.3 a namespace of crash-looping pods whose deletions %s does not hold up those that come after it',
  async (_, fault, pods) => {
    const count = 20;
    // In the ordinary bucket they would wait for a minute and longer.
    await using stage = await struck(count, { qps: 1, burst: 10 });
    const { plain, seed } = stage;
    const sick = 'shoot--many--sick';
    plain.slice(sick, service, [false]);
    for (let index = 0; index < pods; index += 1) plain.add(sick, `pod-${index}`, { labels: { tier: 'one' } });
    seed.api.setFault(fault, ({ verb, namespace }) => verb === 'delete' && namespace === sick);
    plain.slice(sick, service, [true]);
    const began = stage.clock.now();
    await stage.until(() => stage.notesOf('deletionHeld').length >= pods - 10, 5_000, 'all but ten have to wait');

    for (let index = 0; index < count; index += 1) plain.slice(namespaceOf(index), service, [true]);
    // Before the first of those that hang is given up.
    await stage.until(() => stage.weeded.all.length === 2 * count, 9_500 - (stage.clock.now() - began));
    expect(stage.weeded.names(sick)).toEqual([]);

    seed.api.clearFault();
    await stage.until(() => stage.weeded.names(sick).length === pods, 90_000, 'and its own in the end');
  },
);
