import { filter, firstValueFrom, type Subscription } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { shootEventWords } from '../../src/adapters/record/words/shoot-words.ts';
import { type SharedSeedWatch, seedWatch } from '../../src/adapters/seed-watch/seed-watch.ts';
import type { StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import type { ClusterAnswer } from '../../src/domain/prober/cluster-view.ts';
import { watchedClusters } from '../../src/commands/role/assemble-prober.ts';
import type { Dependant } from '../../src/domain/prober/dependant.ts';
import type { SeedEvent } from '../../src/machines/shoot-language.ts';
import { dependant, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { ScriptedSeed, statusError } from './seed-watch-scripted.ts';

const clusters = '/apis/extensions.gardener.cloud/v1alpha1/clusters';
const secrets = '/api/v1/secrets';
const deployments = '/apis/apps/v1/deployments';
const statefulSets = '/apis/apps/v1/statefulsets';

const levels = { down: 0, up: 0 };
const kcm = dependant('apps/v1', 'Deployment', 'kcm', levels);
const mcm = dependant('apps/v1', 'StatefulSet', 'kcm', levels);
const unwatched = [
  dependant('druid.gardener.cloud/v1alpha1', 'Etcd', 'kcm', levels),
  dependant('apps.openshift.io/v1', 'Deployment', 'kcm', levels),
  dependant('apps/v1', 'DaemonSet', 'kcm', levels),
];
const kcmKey = kcm.key;

function worldOf(dependants: readonly Dependant[] = [kcm]) {
  const clock = new VirtualClock(1_000);
  const seed = new ScriptedSeed(clock);
  const notices: StreamNotice[] = [];
  const watch = seedWatch({
    client: seed,
    clock,
    chance: () => 0.5,
    config: { ...gardenerConfig, kubeConfigSecretName: 'probe', dependants },
    notice: (notice) => notices.push(notice),
  });
  return { clock, seed, watch, notices };
}

type World = ReturnType<typeof worldOf>;

const putCluster = ({ seed }: World, name: string, shoot: unknown = {}) =>
  seed.put(clusters, '', name, { spec: { shoot, cloudProfile: { large: true } } });
const putSecret = ({ seed }: World, namespace: string, kubeconfig: string) =>
  seed.put(secrets, namespace, 'probe', {
    data: { kubeconfig: Buffer.from(kubeconfig).toString('base64'), more: 'eA==' },
  });
const putDeployment = ({ seed }: World, namespace: string, replicas: number) =>
  seed.put(deployments, namespace, 'kcm', {
    metadata: { generation: 1 },
    spec: { replicas },
    status: { observedGeneration: 1 },
  });

function hearing(watch: SharedSeedWatch) {
  const sets: string[][] = [];
  const subscription = watch.shoots$.subscribe((shoots) => sets.push([...shoots]));
  onTestFinished(() => subscription.unsubscribe());
  return { sets, subscription };
}

/** All events but `cluster.watched`, which has a test of its own. */
function following(watch: SharedSeedWatch, shoot: string): { events: SeedEvent[]; subscription: Subscription } {
  const events: SeedEvent[] = [];
  const told$ = watch.events$(shoot).pipe(filter(({ type }) => type !== 'cluster.watched'));
  const subscription = told$.subscribe((event) => events.push(event));
  onTestFinished(() => subscription.unsubscribe());
  return { events, subscription };
}

/** An event in few words. */
function words(event: SeedEvent): string {
  switch (event.type) {
    case 'cluster.changed':
      return event.reading.readable ? 'readable' : event.reading.problem;
    case 'cluster.gone':
      return 'gone';
    case 'cluster.watched':
      return `Clusters ${event.live ? 'live' : 'out'}`;
    case 'dependant.changed':
      return `${event.key} ${event.view.found ? event.view.replicas : 'missing'} @${event.view.resourceVersion}`;
    case 'dependant.watched':
      return `${event.key} ${event.live ? 'live' : 'out'}`;
  }
}

const present = (replicas: number, resourceVersion: string) => `${kcmKey} ${replicas} @${resourceVersion}`;
const missing = (resourceVersion: string) => `${kcmKey} missing @${resourceVersion}`;
const live = `${kcmKey} live`;
const out = `${kcmKey} out`;

test('3 the set of shoots comes once all first lists are in, then with each arrival and departure', async () => {
  const world = worldOf();
  putCluster(world, 'a');
  putCluster(world, 'b');
  world.seed.refusals.set(secrets, statusError(500, 'not yet'));
  const { sets, subscription } = hearing(world.watch);
  const synced: boolean[] = [];
  subscription.add(world.watch.synced$.subscribe((is) => synced.push(is)));
  await world.clock.advanceBy(5_000);
  expect(sets).toEqual([]);
  world.seed.refusals.clear();
  await world.clock.advanceBy(30_000);
  expect(sets).toEqual([['a', 'b']]);
  expect(synced).toEqual([false, true]);

  putCluster(world, 'c');
  putCluster(world, 'a', { status: { hibernated: true } });
  world.seed.remove(clusters, '', 'b');
  await settled();
  expect(sets.slice(1)).toEqual([
    ['a', 'b', 'c'],
    ['a', 'c'],
  ]);
});

test('3.5 what the stream says after a GET is told though the stream never said otherwise', async () => {
  const world = worldOf();
  putCluster(world, 'a');
  putCluster(world, 'b');
  const { events } = following(world.watch, 'a');
  const told = () => events.splice(0).filter(({ type }) => type === 'cluster.changed').length;
  await settled();
  expect(told()).toBeGreaterThan(0);
  putCluster(world, 'a');
  await settled();
  expect(told()).toBe(0);

  // The GET showed a shoot that sleeps. It is awake again before the stream has told of it.
  world.watch.clusterAsked('a');
  putCluster(world, 'a');
  await settled();
  expect(told()).toBe(1);
  putCluster(world, 'a');
  await settled();
  expect(told()).toBe(0);

  // The same where a list shows it, and not a watch.
  world.watch.clusterAsked('a');
  world.seed.compact();
  world.seed.say({ type: 'ERROR', object: { kind: 'Status', code: 410 } }, clusters);
  await world.clock.advanceBy(30_000);
  expect(told()).toBe(1);
});

test('3.5 so is what it says while the GET is under way: the answer may be older', async () => {
  const world = worldOf();
  putCluster(world, 'a');
  const { events } = following(world.watch, 'a');
  await settled();
  const answer = Promise.withResolvers<ClusterAnswer>();
  const asked = watchedClusters({ readCluster: () => answer.promise }, world.watch).readCluster(
    'a',
    9_000,
    new AbortController().signal,
  );
  const before = events.length;
  putCluster(world, 'a');
  await settled();
  expect(events.slice(before).map(words)).toEqual(['readable']);
  answer.resolve({ outcome: 'failed', detail: 'late' });
  await asked;
});

test('3 many that come and go with one list are one change of the set', async () => {
  const world = worldOf();
  for (let n = 0; n < 50; n++) putCluster(world, `old-${n}`);
  const { sets } = hearing(world.watch);
  await world.clock.advanceBy(20_000);
  world.seed.deaf = true;
  for (let n = 0; n < 50; n++) world.seed.remove(clusters, '', `old-${n}`);
  for (let n = 0; n < 50; n++) putCluster(world, `new-${n}`);
  world.seed.deaf = false;
  world.seed.compact();
  world.seed.cut();
  await settled();
  expect(sets).toHaveLength(2);
  expect(sets[1]).toHaveLength(50);
});

test('6.2 a follower of a shoot hears all that is known at once, resources before the Cluster, then each change', async () => {
  const world = worldOf();
  putCluster(world, 'a');
  putDeployment(world, 'a', 2);
  hearing(world.watch);
  await settled();
  const { events } = following(world.watch, 'a');
  expect(events.map(words)).toEqual([present(2, '2'), live, 'readable']);
  expect(events[0]).toEqual({
    type: 'dependant.changed',
    at: 1_000,
    key: kcmKey,
    view: {
      found: true,
      resourceVersion: '2',
      replicas: 2,
      readyReplicas: 0,
      observed: true,
      marked: false,
      ignored: false,
    },
  });

  await world.clock.advanceBy(500);
  putDeployment(world, 'a', 0);
  world.seed.remove(deployments, 'a', 'kcm');
  putCluster(world, 'a', { spec: { hibernation: { enabled: true } } });
  world.seed.remove(clusters, '', 'a');
  await settled();
  // One stream keeps its order; two streams may overtake each other.
  const resources = events.slice(3).filter(({ type }) => type.startsWith('dependant'));
  const lives = events.slice(3).filter(({ type }) => type.startsWith('cluster'));
  expect(resources.map(words)).toEqual([present(0, '3'), missing('4')]);
  expect(lives.map(words)).toEqual(['readable', 'gone']);
  expect(events.slice(3).map(({ at }) => at)).toEqual([1_500, 1_500, 1_500, 1_500]);
});

test('3 a resource that was there before its Cluster is known when the Cluster comes', async () => {
  const world = worldOf();
  putDeployment(world, 'a', 3);
  putSecret(world, 'a', 'early');
  const heard: string[] = [];
  world.watch.shoots$.subscribe((shoots) => {
    if (!shoots.has('a')) return;
    world.watch.events$('a').subscribe((event) => heard.push(words(event)));
  });
  await settled();
  expect(heard).toEqual([]);
  putCluster(world, 'a');
  await settled();
  expect(heard).toEqual([present(3, '1'), live, 'Clusters live', 'readable']);
  expect(world.watch.kubeconfigOf('a', 'probe')).toBe('early');
});

test('3.4 a Cluster that cannot be read is reported as unreadable, said once for each problem, and resumes', async () => {
  const world = worldOf([]);
  putCluster(world, 'a', null);
  hearing(world.watch);
  await settled();
  const { events } = following(world.watch, 'a');
  world.seed.put(clusters, '', 'a', { spec: {}, metadata: { labels: { touched: 'yes' } } });
  putCluster(world, 'a', 'text');
  putCluster(world, 'a');
  await settled();
  expect(events.map(words)).toEqual(['spec.shoot is missing', 'spec.shoot should be an object', 'readable']);
  expect(world.notices.filter(({ kind }) => kind === 'unreadable')).toEqual([
    { kind: 'unreadable', stream: 'clusters', object: 'a', problem: 'spec.shoot is missing' },
    { kind: 'unreadable', stream: 'clusters', object: 'a', problem: 'spec.shoot should be an object' },
  ]);
});

test('3.3 a Cluster written without a change that matters is no event', async () => {
  const world = worldOf([]);
  putCluster(world, 'a', { spec: { provider: { workers: [{ name: 'w' }] } } });
  hearing(world.watch);
  await settled();
  const { events } = following(world.watch, 'a');
  for (let beat = 0; beat < 5; beat++)
    putCluster(world, 'a', { spec: { provider: { workers: [{ name: 'w' }] } }, status: { conditions: [{ beat }] } });
  putCluster(world, 'a', {
    spec: { provider: { workers: [{ name: 'w', machineControllerManager: { nodeConditions: ['X'] } }] } },
  });
  await settled();
  expect(events.map(words)).toEqual(['readable', 'readable']);
});

test('4.1 only Secrets of the one name are asked for, only the kubeconfig of each is kept, and a renewed one is seen at once', async () => {
  const world = worldOf();
  putSecret(world, 'a', 'one');
  world.seed.put(secrets, 'b', 'probe', { data: {} });
  world.seed.put(secrets, 'c', 'probe', { data: { kubeconfig: 'A'.repeat(200_000) } });
  world.seed.put(secrets, 'd', 'other', { data: { kubeconfig: 'AAAA' } });
  hearing(world.watch);
  await settled();
  expect(world.watch.kubeconfigOf('a', 'probe')).toBe('one');
  for (const shoot of ['b', 'c', 'd', 'e']) expect(world.watch.kubeconfigOf(shoot, 'probe')).toBeUndefined();
  const asked = world.seed.asked.filter(({ path }) => path === secrets);
  expect(asked.map(({ query }) => query['fieldSelector'])).toEqual(['metadata.name=probe', 'metadata.name=probe']);

  putSecret(world, 'a', 'zwei ü');
  await settled();
  expect(world.watch.kubeconfigOf('a', 'probe')).toBe('zwei ü');
  world.seed.remove(secrets, 'a', 'probe');
  await settled();
  expect(world.watch.kubeconfigOf('a', 'probe')).toBeUndefined();
});

test('6.6 two dependants of one name and different kinds are told apart, and other groups are not watched', async () => {
  const world = worldOf([kcm, mcm, ...unwatched]);
  putCluster(world, 'a');
  putDeployment(world, 'a', 1);
  world.seed.put(statefulSets, 'a', 'kcm', { spec: { replicas: 7 } });
  hearing(world.watch);
  await settled();
  const { events } = following(world.watch, 'a');
  const other = mcm.key;
  expect(events.map(words)).toEqual([present(1, '2'), live, `${other} 7 @3`, `${other} live`, 'readable']);
  world.seed.remove(statefulSets, 'a', 'kcm');
  await settled();
  expect(events.map(words).slice(5)).toEqual([`${other} missing @4`]);
  expect(new Set(world.seed.asked.map(({ path }) => path))).toEqual(
    new Set([clusters, secrets, deployments, statefulSets]),
  );
});

test('6.6 a dependant whose watch is refused is out and holds nothing up', async () => {
  const world = worldOf([kcm, mcm]);
  world.seed.refusals.set(statefulSets, statusError(403, 'forbidden'));
  putCluster(world, 'a');
  const { sets } = hearing(world.watch);
  await settled();
  expect(sets).toEqual([['a']]);
  const { events } = following(world.watch, 'a');
  expect(events.map(words)).toEqual([missing('1'), live, `${mcm.key} out`, 'readable']);
  expect(events.map(shootEventWords).slice(1, 3)).toEqual([
    'the watch on kcm is open',
    'the watch on StatefulSet/kcm is not open yet',
  ]);

  world.seed.refusals.clear();
  await world.clock.advanceBy(30_000);
  expect(events.map(words).slice(4)).toEqual([`${mcm.key} missing @1`, `${mcm.key} live`]);
});

test('6.2 who begins with the last first list finds every watch open', async () => {
  const world = worldOf([kcm, mcm]);
  putCluster(world, 'a');
  const told: string[] = [];
  world.watch.shoots$.subscribe((shoots) => {
    for (const shoot of shoots) world.watch.events$(shoot).subscribe((event) => told.push(words(event)));
  });
  await settled();
  expect(told).toEqual([missing('1'), live, `${mcm.key} missing @1`, `${mcm.key} live`, 'Clusters live', 'readable']);
});

test.each([
  ['Clusters', clusters],
  ['kcm', deployments],
])('6.6 a watch that was never open did not break, though a list of %s came after an outage', async (name, kind) => {
  const world = worldOf();
  putCluster(world, 'a');
  world.seed.refusals.set(kind, statusError(500, 'not yet'));
  const told: string[] = [];
  world.watch.shoots$.subscribe((shoots) => {
    for (const shoot of shoots) world.watch.events$(shoot).subscribe((event) => told.push(shootEventWords(event)));
  });
  await world.clock.advanceBy(5_000);
  world.seed.refusals.clear();
  await world.clock.advanceBy(30_000);
  expect(told.filter((one) => one.startsWith(`the watch on ${name}`))).toEqual([
    `the watch on ${name} is not open yet`,
    `the watch on ${name} is open`,
  ]);
});

test('6.6 while a watch is out its shoots know it, and what went meanwhile is reported before it is live again', async () => {
  const world = worldOf();
  for (const shoot of ['a', 'b']) putCluster(world, shoot);
  putDeployment(world, 'a', 1);
  hearing(world.watch);
  await world.clock.advanceBy(20_000);
  const a = following(world.watch, 'a');
  const b = following(world.watch, 'b');
  world.seed.refusals.set(deployments, statusError(500, 'etcd has no leader'));
  world.seed.cut(deployments);
  await settled();
  expect(a.events.map(words).slice(3)).toEqual([out]);
  expect(a.events.map(shootEventWords).slice(3)).toEqual(['the watch on kcm broke']);
  expect(following(world.watch, 'a').events.map(words)).toEqual([present(1, '3'), out, 'readable']);

  // Seen by a GET at most: it came and went, and no list has ever held it.
  putDeployment(world, 'b', 1);
  world.seed.remove(deployments, 'b', 'kcm');
  world.seed.remove(deployments, 'a', 'kcm');
  world.seed.compact();
  world.seed.refusals.clear();
  await world.clock.advanceBy(60_000);
  expect(a.events.map(words).slice(4)).toEqual([missing('6'), live]);
  expect(b.events.map(words).slice(4)).toEqual([missing('6'), live]);
  expect(world.notices.flatMap(({ kind, ...rest }) => (kind === 'out' ? [rest] : []))).toEqual([
    { stream: 'deployments/kcm', refused: false, problem: 'etcd has no leader', reason: 'etcd has no leader' },
  ]);
});

test('6.6 a watch that does not tell of our own write is opened anew, and goes on where it was', async () => {
  const world = worldOf();
  putCluster(world, 'a');
  putDeployment(world, 'a', 2);
  hearing(world.watch);
  const a = following(world.watch, 'a');
  await world.clock.advanceBy(20_000);
  const watches = () => world.seed.asked.filter(({ verb, path }) => verb === 'watch' && path === deployments).length;
  const before = watches();
  world.watch.expect('a', kcm.ref, putDeployment(world, 'a', 1));
  world.watch.expect('a', mcm.ref, '1000000');
  await world.clock.advanceBy(20_000);
  expect(watches(), 'a watch that tells stays').toBe(before);

  world.seed.deaf = true;
  for (const replicas of [0, 3]) world.watch.expect('a', kcm.ref, putDeployment(world, 'a', replicas));
  world.seed.deaf = false;
  await world.clock.advanceBy(2_999);
  expect(watches()).toBe(before);
  const told = a.events.length;
  await world.clock.advanceBy(1);
  expect(watches(), 'once, whatever else is missed').toBe(before + 1);
  expect(a.events.slice(told).map(words)).toEqual([present(0, '4'), present(3, '5')]);
});

test('6.6 6.10 a seed restored from a backup is believed: what was newer is void, for those that are there and those that are not', async () => {
  const world = worldOf();
  for (const shoot of ['a', 'b']) putCluster(world, shoot);
  for (const shoot of ['a', 'b', 'a', 'b']) putDeployment(world, shoot, 2);
  hearing(world.watch);
  await world.clock.advanceBy(20_000);
  const a = following(world.watch, 'a');
  const b = following(world.watch, 'b');
  const known = a.events.length;
  world.seed.rewind(1);
  for (const shoot of ['a', 'b']) putCluster(world, shoot);
  putDeployment(world, 'a', 0);
  await world.clock.advanceBy(60_000);
  const changes = ({ events }: typeof a) => events.slice(known).filter(({ type }) => type === 'dependant.changed');
  expect(changes(a)).toEqual([
    expect.objectContaining({ rewound: true, view: expect.objectContaining({ replicas: 0, resourceVersion: '4' }) }),
  ]);
  expect(changes(b)).toEqual([
    expect.objectContaining({ rewound: true, view: { found: false, resourceVersion: '4' } }),
  ]);
});

/** Shoots with two replicas each, and the events of each from then on. */
async function followedShoots(...shoots: readonly string[]) {
  const world = worldOf();
  for (const shoot of shoots) putCluster(world, shoot);
  for (const shoot of shoots) putDeployment(world, shoot, 2);
  for (const shoot of shoots) putSecret(world, shoot, 'old');
  hearing(world.watch);
  await world.clock.advanceBy(20_000);
  const followed = shoots.map((shoot) => following(world.watch, shoot));
  const since = followed.map(({ events }) => events.length);
  const told = (index = 0) =>
    (followed[index]?.events ?? []).slice(since[index]).flatMap((event) => {
      const back = event.type === 'dependant.changed' && event.rewound ? ['back:'] : [];
      return [[...back, words(event)].join(' ')];
    });
  return { world, told };
}

test('6.6 so does one that lacks an object which our own write or GET showed since, or shows it older', async () => {
  for (const shows of ['older', 'not at all']) {
    const { world, told } = await followedShoots('a');
    if (shows === 'not at all') world.seed.remove(deployments, 'a', 'kcm');
    const restore = world.seed.backup();
    world.seed.deaf = true;
    world.watch.expect('a', kcm.ref, '5000');
    world.seed.deaf = false;
    restore(shows === 'older' ? 10_000 : 1_000);
    await world.clock.advanceBy(60_000);
    const back = told().filter((one) => one.startsWith('back:'));
    expect(back).toEqual([shows === 'older' ? `back: ${present(2, '2')}` : `back: ${missing('1004')}`]);
  }
});

test('6.6 what an answer showed while the list was under way is newer than the list, and proves nothing', async () => {
  const { world, told } = await followedShoots('a');
  world.seed.latency = 1_000;
  world.seed.compact();
  world.seed.put(clusters, '', 'z');
  world.seed.compact();
  world.seed.cut(deployments);
  await world.clock.advanceBy(1_500);
  world.watch.expect('a', kcm.ref, '5000');
  await world.clock.advanceBy(60_000);
  expect(told().filter((one) => one.startsWith('back:'))).toEqual([]);
  expect(world.seed.asked.filter(({ verb, path }) => verb === 'list' && path === deployments)).toHaveLength(2);
});

test('6.6 proof by one kind has all others listed again, that went on without a gap as well', async () => {
  const { world, told } = await followedShoots('a');
  putCluster(world, 'a', { metadata: { annotations: { newer: 'yes' } } });
  await settled();
  const restore = world.seed.backup();
  putSecret(world, 'a', 'new');
  putCluster(world, 'a', { status: { hibernated: true } });
  await settled();
  const before = world.seed.asked.length;
  restore(1_000, false);
  await settled();
  expect(world.watch.kubeconfigOf('a', 'probe'), 'nobody knows yet').toBe('new');
  world.seed.compact();
  world.seed.put('/elsewhere', '', 'x');
  world.seed.compact();
  world.seed.cut(clusters);
  await world.clock.advanceBy(10_000);
  expect(world.watch.kubeconfigOf('a', 'probe')).toBe('old');
  expect(told().slice(-2).toSorted()).toEqual([`back: ${present(2, '2')}`, 'readable']);
  const lists = world.seed.asked.slice(before).filter(({ verb }) => verb === 'list');
  expect(lists.map(({ path }) => path).toSorted(), 'once each').toEqual([secrets, deployments, clusters].toSorted());
});

test('3 streams are shared, and are cut and forgotten when the last one leaves', async () => {
  const world = worldOf();
  putCluster(world, 'a');
  putSecret(world, 'a', 'secret');
  const { subscription } = hearing(world.watch);
  await settled();
  const follows = Array.from({ length: 20 }, () => following(world.watch, 'a').subscription);
  const again = hearing(world.watch);
  expect(again.sets).toEqual([['a']]);
  expect(world.seed.openWatches).toBe(3);
  expect(await firstValueFrom(world.watch.synced$)).toBe(true);

  subscription.unsubscribe();
  again.subscription.unsubscribe();
  for (const follow of follows.slice(1)) follow.unsubscribe();
  await settled();
  expect(world.seed.openWatches).toBe(3);
  follows[0]?.unsubscribe();
  await settled();
  expect(world.seed.openWatches).toBe(0);
  expect(world.clock.sleeping).toBe(0);
  expect(world.watch.kubeconfigOf('a', 'probe')).toBeUndefined();

  world.seed.remove(clusters, '', 'a');
  putCluster(world, 'b');
  const anew = hearing(world.watch);
  await settled();
  expect(anew.sets).toEqual([['b']]);
});

test('3.4 an event costs its own shoot only, however many there are', async () => {
  const world = worldOf();
  for (let n = 0; n < 2_000; n++) {
    putCluster(world, `shoot-${n}`);
    putDeployment(world, `shoot-${n}`, 1);
  }
  const { subscription } = hearing(world.watch);
  await settled();
  await settled();
  let heard = 0;
  for (let n = 0; n < 2_000; n++) subscription.add(world.watch.events$(`shoot-${n}`).subscribe(() => heard++));
  expect(heard).toBe(4 * 2_000);
  putDeployment(world, 'shoot-7', 0);
  await settled();
  expect(heard).toBe(4 * 2_000 + 1);
});
