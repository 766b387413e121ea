import { expect, test } from 'vitest';
import { healedInTime } from './laws/healing.ts';
import { ownKubeconfigs } from './laws/own-kubeconfigs.ts';
import { weededInTime } from './laws/weeding.ts';
import type { Law } from './law.ts';
import { beginning, live } from './life.ts';
import { quietPlan, type SeedPlan } from './seed-plan.ts';

/** The first law that is broken where API servers are two. Which of them takes which request is the number's, so eight numbers are lived. */
async function brokenByTwoServers(plan: SeedPlan, laws: readonly Law[]): Promise<unknown> {
  for (let number = 1; number <= 8; number += 1) {
    const { broken } = await live({ ...plan, number, servers: 2 }, { laws, endsWithWeather: true });
    if (broken !== undefined) return { number, ...broken };
  }
  return undefined;
}

/** When each stream of the seed is listed after the restore, which comes 30 s after the beginning; in ms. */
async function listedAfterRestore(plan: SeedPlan): Promise<ReadonlyMap<string, number>> {
  const listed = new Map<string, number>();
  await live(plan, {
    laws: [],
    endsWithWeather: true,
    observe(seen) {
      if (seen.kind !== 'request' || /watch=true|limit=1$/.test(seen.request.url)) return;
      const [, kind] = /\/(clusters|endpointslices)\?/.exec(seen.request.url) ?? [];
      const after = seen.at - beginning - 30_000;
      const stream = `${seen.process} ${kind}`;
      if (kind !== undefined && after > 0 && !listed.has(stream)) listed.set(stream, after);
    },
  });
  return listed;
}

test('6.6 8 the Lease shows leader and standby that a seed went back, though their watches wait in silence for what it was', async () => {
  const plan = {
    ...quietPlan,
    servers: 2,
    replicas: { prober: 2, weeder: 2 },
    election: true,
    weather: 65_000,
    happenings: [
      { at: 10_000, kind: 'etcd backed up' },
      { at: 30_000, kind: 'etcd restored', of: { unnoticed: 30_000 } },
    ],
  };
  const listed = await listedAfterRestore(plan);
  expect([...listed.keys()].toSorted()).toEqual([
    'prober-0#1 clusters',
    'prober-1#1 clusters',
    'weeder-0#1 endpointslices',
    'weeder-1#1 endpointslices',
  ]);
  // A standby asks for the Lease after 2 to 4.4 s.
  expect(Math.max(...listed.values())).toBeLessThan(4_500);
});

test('6.6 without an election, a seed that went back in a moment is seen as soon as watches are opened again', async () => {
  const shoot = 'shoot--demo--01';
  const listed = await listedAfterRestore({
    ...quietPlan,
    weather: 65_000,
    happenings: [
      { at: 10_000, kind: 'etcd backed up' },
      { at: 20_000, kind: 'Secret rotated', shoot },
      { at: 30_000, kind: 'etcd restored', of: { unnoticed: 0 } },
      { at: 32_000, kind: 'Secret rotated', shoot },
    ],
  });
  expect([...listed]).toEqual([['prober-0#1 clusters', expect.any(Number)]]);
  expect(listed.get('prober-0#1 clusters')).toBeLessThan(1_000);
});

test('4.1 6.6 a Secret that comes to the same version again, with another token, is read all the same', async () => {
  const shoot = 'shoot--demo--01';
  const rotatedAt = (at: number) => ({ at, kind: 'Secret rotated', shoot });
  const { broken } = await live(
    {
      ...quietPlan,
      weather: 500_000,
      happenings: [
        { at: 60_000, kind: 'etcd backed up' },
        // A probe goes by it, and the next one comes when all is over.
        rotatedAt(62_000),
        { at: 90_000, kind: 'etcd restored', of: { unnoticed: 0 } },
        rotatedAt(90_100),
      ],
    },
    { laws: [ownKubeconfigs], endsWithWeather: true },
  );
  expect(broken).toBe(undefined);
});

test.for([
  { election: true, from: 0, why: 'which the Lease shows' },
  // All that a process lists again after its begin is over.
  { election: false, from: 300_000, why: 'though no Lease shows it' },
])('6.6 what a server tells that missed the restore is void once it was started afresh, $why', async (given) => {
  const { election, from } = given;
  const shoot = 'shoot--demo--01';
  const plan = {
    ...quietPlan,
    replicas: election ? { prober: 2, weeder: 2 } : { prober: 1, weeder: 0 },
    election,
    weather: from + 400_000,
    happenings: [
      { at: from + 30_000, kind: 'nodes cut off', shoot, of: { fraction: 1 } },
      { at: from + 95_000, kind: 'etcd backed up' },
      { at: from + 100_000, kind: 'nodes healed', shoot },
      // By then the counter has overtaken whatever the server has told.
      { at: from + 125_000, kind: 'etcd restored', of: { unnoticed: 29_000, others: election ? 0 : 50 } },
    ],
  };
  expect(await brokenByTwoServers(plan, [healedInTime])).toBe(undefined);
});

test('6.6 who takes the lead after a restore that its Lease does not show believes what a server tells that missed it for a minute', async () => {
  const shoot = 'shoot--demo--01';
  // Nobody leads from before the backup until after the restore, so that the Lease is as it was.
  const plan = {
    ...quietPlan,
    replicas: { prober: 1, weeder: 2 },
    weather: 600_000,
    happenings: [
      { at: 100_000, kind: 'service down', shoot, of: { group: 'kube-apiserver' } },
      { at: 310_000, kind: 'weeders blind', of: { as: 'refused' } },
      { at: 365_000, kind: 'etcd backed up' },
      { at: 455_000, kind: 'etcd restored', of: { unnoticed: 22_000, others: 500, leads: true } },
      { at: 460_000, kind: 'service up', shoot, of: { group: 'kube-apiserver' } },
      { at: 460_001, kind: 'weeders blind', of: {} },
    ],
  };
  expect(await brokenByTwoServers(plan, [weededInTime])).toBe(undefined);
});

test.for([
  { election: true, again: [] },
  { election: false, again: [60, 300] },
])(
  '6.6 after a watch that was cut all is listed again only where no Lease would show a restore: $again s later',
  async (given) => {
    const { election, again } = given;
    const cutAt = 400_000;
    const listedAfter: number[] = [];
    await live(
      { ...quietPlan, election, weather: 800_000, happenings: [{ at: cutAt, kind: 'watches cut' }] },
      {
        laws: [],
        endsWithWeather: true,
        observe(seen) {
          if (seen.kind !== 'request' || !/\/clusters\?limit=\d\d/.test(seen.request.url)) return;
          const after = seen.at - beginning - cutAt;
          if (after > 0) listedAfter.push(Math.round(after / 1_000));
        },
      },
    );
    expect(listedAfter).toEqual(again);
  },
);

test('6.6 a process that began while a server served what is lost believes it for some minutes, and not for good', async () => {
  const shoot = 'shoot--demo--01';
  const probedAt: number[] = [];
  // So the counter of the backup falls behind, and overtakes what is lost before the server is started afresh.
  const rotated = (from: number) =>
    Array.from({ length: 20 }, (_, index) => ({ at: from + 40 * index, kind: 'Secret rotated', shoot }));
  await live(
    {
      ...quietPlan,
      weather: 400_000,
      happenings: [
        { at: 5_000, kind: 'migrating live', shoot },
        { at: 10_000, kind: 'etcd backed up' },
        ...rotated(20_000),
        { at: 30_000, kind: 'etcd restored unnoticed', of: { length: 20_000 } },
        { at: 32_000, kind: 'Cluster mended', shoot },
        { at: 33_000, kind: 'process crashed', of: { slot: 'prober-0', length: 1_000 } },
        ...rotated(49_000),
      ],
    },
    {
      laws: [],
      endsWithWeather: true,
      observe(seen) {
        if (seen.kind === 'request' && seen.to === shoot && seen.process === 'prober-0#2')
          probedAt.push(seen.at - beginning);
      },
    },
  );
  // It begins after 34 s, and a shoot has 30 s to settle.
  expect(probedAt[0]).toBeGreaterThan(94_000);
  expect(probedAt[0]).toBeLessThan(134_000);
});

test('6.6 pods that were not ready in a backup are started again, though nobody changed what is wanted', async () => {
  const ready: (number | undefined)[] = [];
  await live(quietPlan, {
    laws: [],
    async conduct(scene, passTo) {
      const { dependants } = scene.seed.shoot('shoot--demo--01');
      const { store } = scene.seed.api.storage;
      const see = (): number => ready.push(dependants.get('kube-controller-manager')?.ready);
      dependants.scale('kube-controller-manager', 3);
      await passTo(1_000);
      const backup = store.backup();
      see();
      await passTo(10_000);
      see();
      store.restore(backup);
      see();
      await passTo(20_000);
      see();
    },
  });
  expect(ready).toEqual([2, 3, 2, 3]);
});
