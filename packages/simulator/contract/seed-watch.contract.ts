import { filter, firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { readWatchLine } from 'dependency-watchdog/adapters/reflector/wire-format.ts';
import { seedWatch } from 'dependency-watchdog/adapters/seed-watch/seed-watch.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { kubeconfigSecret } from '../shoot/shoot-objects.ts';
import { mergePatch } from '@dwd/lab/real/operator-client.ts';
import { controllerManager, gardenerConfig, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import type { ContractStage } from './contract-stage.ts';
import { collector } from './collector.ts';
import { allOf, followConfigMaps, sceneOf, wordsOf } from './followed-config-maps.ts';

const config = { ...gardenerConfig, dependants: [controllerManager] };

/** What the streams of a seed live on (SPEC 3, 4.1, 6.2, 6.6, 7.4): lists in pages, and watches that go on from them. */
export function seedWatchContract(open: () => Promise<ContractStage>): void {
  test('6.2 a list comes page by page, and whole; then each change, with what was before', async () => {
    const scene = await sceneOf(await open());
    for (const one of ['a', 'b', 'c', 'd', 'e']) await scene.create(one, '1');
    const pages: string[] = [];
    scene.client.before = async ({ query = {} }) => void pages.push(query['limit'] ?? '');
    const { next, store, subscription } = followConfigMaps(scene, { pageSize: 2 });
    expect(await next()).toMatchObject({ type: 'listed', deleted: [], dropped: 0 });
    expect(pages).toEqual(['2', '2', '2']);
    expect([...store.keys()].map((key) => key.replace(`${scene.namespace}/`, ''))).toEqual(['a', 'b', 'c', 'd', 'e']);
    await scene.change('b', '2');
    await scene.remove('c');
    expect(wordsOf(await next(({ type }) => type === 'applied'))).toBe('b 1→2');
    expect(wordsOf(await next())).toBe('c gone');
    subscription.unsubscribe();
  });

  test('6.2 of one name in all namespaces: what is there, what comes, what goes, and nothing of other names', async () => {
    const [one, other] = [await sceneOf(await open()), await sceneOf(await open())];
    const mine = `only-${one.namespace}`;
    await one.create(mine, '1');
    await one.create('another', '1');
    const query = { fieldSelector: `metadata.name=${mine}` };
    const { collected, next, subscription } = followConfigMaps(one, { path: '/api/v1/configmaps', query });
    await next();
    await other.create('another', '1');
    await other.create(mine, '3');
    await one.change('another', '2');
    await one.remove(mine);
    expect(wordsOf(await next(({ type }) => type === 'applied'))).toBe(`${mine} new 3`);
    expect(wordsOf(await next())).toBe(`${mine} gone`);
    expect(collected.map(({ type }) => type)).toEqual(['listed', 'live', 'applied', 'deleted']);
    subscription.unsubscribe();
  });

  test('7.2 by a label: what begins to bear it is new, what bears it no more is gone', async () => {
    const scene = await sceneOf(await open());
    await scene.create('a', '1');
    const { next, subscription } = followConfigMaps(scene, { query: { labelSelector: 'role in (picked)' } });
    expect(await next()).toMatchObject({ type: 'listed', applied: [] });
    await scene.label('a', 'picked');
    expect(wordsOf(await next(({ type }) => type === 'applied'))).toBe('a new 1');
    await scene.change('a', '2');
    expect(wordsOf(await next())).toBe('a 1→2');
    await scene.label('a', 'other');
    expect(wordsOf(await next())).toBe('a gone');
    subscription.unsubscribe();
  });

  test('7.4 a watch that was cut goes on where it was: nothing is lost, nothing comes twice', async () => {
    const scene = await sceneOf(await open());
    await scene.create('a', '1');
    await scene.create('b', '1');
    const { collected, next, notices, subscription } = followConfigMaps(scene);
    await next(({ type }) => type === 'live');
    // Once it has told of something, it is open.
    await scene.create('c', '1');
    await next((item) => wordsOf(item) === 'c new 1');
    for (let round = 1; round <= 2; round++) {
      const reopen = scene.client.cut();
      await scene.change('a', `${2 * round}`);
      await scene.change('a', `${2 * round + 1}`);
      await scene.remove('b');
      await scene.create('b', `again ${round}`);
      reopen();
      await next((item) => wordsOf(item) === `b new again ${round}`);
    }
    expect(collected.map(wordsOf).filter((one) => one !== 'live' && !one.startsWith('out'))).toEqual([
      'listed',
      'c new 1',
      'a 1→2',
      'a 2→3',
      'b gone',
      'b new again 1',
      'a 3→4',
      'a 4→5',
      'b gone',
      'b new again 2',
    ]);
    expect(notices.filter(({ kind }) => kind === 'restarted')).toMatchObject([{ why: 'failed' }, { why: 'failed' }]);
    subscription.unsubscribe();
  });

  test('6.6 a watch without matching objects learns how far its kind is, once something has happened there', async () => {
    const scene = await sceneOf(await open());
    const { resourceVersion } = await scene.create('a', '1');
    const query = { watch: 'true', labelSelector: 'role=none', allowWatchBookmarks: 'true', timeoutSeconds: '4' };
    let later = Promise.resolve({ resourceVersion });
    const watch = scene.client.lines({
      method: 'GET',
      path: scene.path,
      query: { ...query, resourceVersion },
      inactivity: 9_000,
      opened: () => {
        later = scene.change('a', '2');
      },
    });
    const told: string[] = [];
    for await (const raw of watch) {
      const line = readWatchLine(raw);
      told.push(line.type === 'bookmark' ? line.resourceVersion : line.type);
    }
    expect(told.length).toBeGreaterThan(0);
    expect(Number(told.at(-1))).toBeGreaterThanOrEqual(Number((await later).resourceVersion));
  });

  test('6.6 a watch from a version that the seed has not reached is open, and says nothing', async () => {
    const scene = await sceneOf(await open());
    const made = await scene.create('a', '1');
    const resourceVersion = String(Number(made.resourceVersion) + 1_000_000);
    const query = { watch: 'true', allowWatchBookmarks: 'true', resourceVersion, timeoutSeconds: '3' };
    let opened = 0;
    const watch = scene.client.lines({
      method: 'GET',
      path: scene.path,
      query,
      inactivity: 9_000,
      opened: () => {
        opened += 1;
        void scene.change('a', '2').then(() => scene.change('a', '3'));
      },
    });
    expect(await allOf(watch)).toEqual([]);
    expect(opened).toBe(1);
  });

  const { internalKubeConfigSecretName, externalKubeConfigSecretName } = twoPathConfig;

  test.each([
    { of: 'one Secret', config, name: config.kubeConfigSecretName, others: [] },
    {
      of: 'the external path’s Secret',
      config: { ...twoPathConfig, dependants: [controllerManager] },
      name: externalKubeConfigSecretName,
      others: [internalKubeConfigSecretName],
    },
  ])('4.1 4.9 a shoot’s kubeconfig is followed from first to last: $of', async ({ config: of, name, others }) => {
    const stage = await open();
    const { core } = stage.operator;
    const namespace = await stage.namespace();
    const ports = { client: stage.client('admin'), clock: systemClock, chance: seededChance(5) };
    const watch = seedWatch({ ...ports, config: of });
    const { subscription } = collector(watch.events$(namespace));
    await firstValueFrom(watch.synced$.pipe(filter((is) => is)));
    expect(watch.kubeconfigOf(namespace, name)).toBeUndefined();
    await core.createNamespacedSecret({ namespace, body: kubeconfigSecret(namespace, name, 'one') });
    await expect.poll(() => watch.kubeconfigOf(namespace, name)).toBe('one');
    const body = { data: { kubeconfig: Buffer.from('two').toString('base64') } };
    await core.patchNamespacedSecret({ namespace, name, body }, mergePatch);
    await expect.poll(() => watch.kubeconfigOf(namespace, name)).toBe('two');
    await core.deleteNamespacedSecret({ namespace, name });
    await expect.poll(() => watch.kubeconfigOf(namespace, name)).toBeUndefined();
    for (const other of others) {
      await core.createNamespacedSecret({ namespace, body: kubeconfigSecret(namespace, other, 'other') });
      await expect.poll(() => watch.kubeconfigOf(namespace, other)).toBe('other');
    }
    expect(watch.kubeconfigOf(namespace, name)).toBeUndefined();
    subscription.unsubscribe();
  });
}
