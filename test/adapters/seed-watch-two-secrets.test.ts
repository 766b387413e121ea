import { expect, test } from 'vitest';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import { seedStreams } from '../../src/adapters/seed-watch/seed-informers.ts';
import { seedWatch } from '../../src/adapters/seed-watch/seed-watch.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { ScriptedSeed } from './seed-watch-scripted.ts';

const secrets = '/api/v1/secrets';
const [inside, outside] = ['probe-inside', 'probe-outside'];
const config = {
  ...twoPathConfig,
  internalKubeConfigSecretName: inside,
  externalKubeConfigSecretName: outside,
  dependants: [],
};

function worldOf(of = config) {
  const clock = new VirtualClock(1_000);
  const seed = new ScriptedSeed(clock);
  const watch = seedWatch({ client: seed, clock, chance: () => 0.5, config: of });
  const put = (name: string, kubeconfig: string) =>
    seed.put(secrets, 'a', name, { data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') } });
  const held = () => [inside, outside].map((name) => watch.kubeconfigOf('a', name) ?? 'none');
  const asked = () => seed.asked.filter(({ path }) => path === secrets).map(({ query }) => query['fieldSelector']);
  return { clock, seed, watch, put, held, asked };
}

test('4.1 4.9 both Secrets are followed, and either may be missing, come, be renewed, go and be emptied without the other', async () => {
  const { seed, watch, put, held } = worldOf();
  put(inside, 'one');
  const subscription = watch.shoots$.subscribe();
  await settled();
  expect(held()).toEqual(['one', 'none']);
  put(outside, 'two');
  await settled();
  expect(held()).toEqual(['one', 'two']);
  put(outside, 'three');
  await settled();
  expect(held()).toEqual(['one', 'three']);
  put(inside, 'four');
  await settled();
  expect(held()).toEqual(['four', 'three']);
  seed.remove(secrets, 'a', inside);
  await settled();
  expect(held()).toEqual(['none', 'three']);
  put(outside, '');
  await settled();
  expect(held()).toEqual(['none', 'none']);
  expect(watch.kubeconfigOf('a', 'a third')).toBeUndefined();
  subscription.unsubscribe();
  expect(held()).toEqual(['none', 'none']);
});

test('4.1 4.9 only the two names are asked for, each by a stream of its own; one name that is both has one', async () => {
  const two = worldOf();
  const same = worldOf({ ...config, externalKubeConfigSecretName: inside });
  for (const { watch } of [two, same]) watch.shoots$.subscribe();
  await settled();
  expect(two.asked()).toEqual([inside, outside, inside, outside].map((name) => `metadata.name=${name}`));
  expect(same.asked()).toEqual([`metadata.name=${inside}`, `metadata.name=${inside}`]);
  expect(seedStreams(config)).toEqual(['clusters', `secrets/${inside}`, `secrets/${outside}`]);
});

test.each([inside, outside])('9.3 4.9 the first lists are in when that of %s is, too', async (late) => {
  const { clock, seed, watch } = worldOf();
  seed.refuse = ({ fieldSelector }) =>
    fieldSelector === `metadata.name=${late}` ? new KubeError('unreachable', 'the seed is away') : undefined;
  const synced: boolean[] = [];
  watch.synced$.subscribe((is) => synced.push(is));
  watch.shoots$.subscribe();
  await clock.advanceBy(10_000);
  expect(synced).toEqual([false]);
  seed.refuse = () => undefined;
  await clock.advanceBy(60_000);
  expect(synced).toEqual([false, true]);
});

test.each([inside, outside])(
  '6.6 4.9 while the stream of %s is out, the other one goes on, and what was held stays',
  async (out) => {
    const { clock, seed, watch, put, held } = worldOf();
    put(inside, 'one');
    put(outside, 'two');
    watch.shoots$.subscribe();
    await settled();
    seed.refuse = ({ fieldSelector }) =>
      fieldSelector === `metadata.name=${out}` ? new KubeError('unreachable', 'the seed is away') : undefined;
    seed.cut(secrets);
    await clock.advanceBy(5_000);
    put(inside, 'three');
    put(outside, 'four');
    await clock.advanceBy(5_000);
    expect(held()).toEqual(out === inside ? ['one', 'four'] : ['three', 'two']);
    seed.refuse = () => undefined;
    await clock.advanceBy(60_000);
    expect(held()).toEqual(['three', 'four']);
  },
);
