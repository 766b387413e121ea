import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import { SeedHistory } from '../../src/adapters/reflector/seed-history.ts';
import type { StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import { mostPods, mostUnselected, podWatch } from '../../src/adapters/weeder-seed/pod-watch.ts';
import type { PodSelector } from '../../src/domain/weeder/weeder-config.ts';
import type { PodNews } from '../../src/effects/ports.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { ScriptedSeed } from './seed-watch-scripted.ts';
import { waits } from '@dwd/testing/weeder-driver.ts';

const path = '/api/v1/namespaces/shoot--a/pods';
const unreachable = new KubeError('unreachable', 'connect ECONNREFUSED');
const service = { namespace: 'shoot--a', service: 'kube-apiserver' };
const config = { services: ['a', 'b', 'a in (1)', 'b in (2)'].map((one) => ({ name: one, podSelectors: [one] })) };

function worldOf() {
  const clock = new VirtualClock(1_000);
  const seed = new ScriptedSeed(clock);
  const notices: StreamNotice[] = [];
  const history = new SeedHistory();
  const notice = (one: StreamNotice) => notices.push(one);
  const watch = podWatch({ client: seed, clock, chance: () => 0.5, config, history, notice });
  const open = (...selectors: readonly PodSelector[]) => {
    const news: PodNews[] = [];
    const subscription = watch.pods$(service, selectors).subscribe((one) => news.push(one));
    onTestFinished(() => subscription.unsubscribe());
    return { news, subscription };
  };
  const openIn = (namespace: string, selector: PodSelector) =>
    watch.pods$({ ...service, namespace }, [selector]).subscribe();
  return { clock, seed, notices, history, open, openIn, ...watch };
}

type World = ReturnType<typeof worldOf>;
type Fate = 'waiting' | 'fine' | 'ending';

function podOf(uid: string, fate: Fate, labels: Readonly<Record<string, string>>, namespace = 'shoot--a') {
  const backOff = { waiting: { reason: 'CrashLoopBackOff' } };
  const state = fate === 'fine' ? { running: {} } : backOff;
  const deletionTimestamp = fate === 'ending' ? { deletionTimestamp: '2026-11-21T12:00:00Z' } : {};
  return {
    metadata: { namespace, uid, labels, ...deletionTimestamp },
    spec: { containers: [{ name: 'main' }] },
    status: { containerStatuses: [{ name: 'main', state }] },
  };
}

const put = ({ seed }: World, name: string, uid: string, fate: Fate, labels: Record<string, string> = { a: '1' }) =>
  seed.put(path, 'shoot--a', name, podOf(uid, fate, labels));

const words = ({ type, pod }: PodNews) => (type === 'gone' ? `${pod.uid} gone` : `${pod.uid} ${pod.state}`);

test('7.2 there is one watch for a namespace, however many services and selectors are asked for, and all of it is urgent', async () => {
  const world = worldOf();
  const opened = [world.open('a in (1)', 'b in (2)'), world.open('a'), world.open('a in (1)')];
  await settled();
  expect(world.seed.asked).toMatchObject([
    { verb: 'list', path, lane: 'urgent' },
    { verb: 'watch', path, lane: 'urgent' },
  ]);
  expect(world.seed.asked.map(({ query }) => query['labelSelector'])).toEqual([undefined, undefined]);
  for (const one of opened.slice(1)) one.subscription.unsubscribe();
  expect(world.seed.openWatches).toBe(1);
  opened[0]?.subscription.unsubscribe();
  await settled();
  expect(world.seed.openWatches).toBe(0);
});

test('7.2 a service that comes back while another one is in its window hears at once what crash-loops, without a request', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'waiting', { a: '1' });
  put(world, 'q', 'u2', 'waiting', { b: '1' });
  put(world, 'r', 'u3', 'waiting', { c: '1' });
  const first = world.open('a');
  await settled();
  const second = world.open('b');
  expect([first.news.map(words), second.news.map(words)]).toEqual([['u1 waiting'], ['u2 waiting']]);
  first.subscription.unsubscribe();
  put(world, 'p', 'u1', 'fine', { a: '1', b: '1' });
  put(world, 'q', 'u2', 'fine', { b: '1' });
  await settled();
  expect([first.news.map(words), second.news.map(words)]).toEqual([['u1 waiting'], ['u2 waiting', 'u2 fine']]);
  expect(world.seed.asked).toHaveLength(2);
});

test('7.2 once all windows of a namespace are over, the next one believes only a new list', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'waiting');
  world.open('a').subscription.unsubscribe();
  const first = world.open('a');
  await settled();
  expect(first.news.map(words)).toEqual(['u1 waiting']);
  first.subscription.unsubscribe();
  put(world, 'p', 'u1', 'fine');
  const { news } = world.open('a');
  await settled();
  expect(news).toEqual([]);
});

test('7.2 where requests wait, namespaces are listed before others are watched', async () => {
  const world = worldOf();
  world.open('a');
  await settled();
  const [list, watch] = world.seed.asked.map(({ by }) => by);
  expect(list).toBe(world.clock.now());
  expect(watch).toBeUndefined();
});

test('7.2 a selector that is not in the configuration is a bug, and not a pod that nobody sees', () => {
  const odd = { services: [{ name: 'a', podSelectors: ['a=='.repeat(2)] }] };
  const { seed, clock } = worldOf();
  expect(() => podWatch({ client: seed, clock, chance: () => 0.5, config: odd })).toThrow(/unable to parse/);
  expect(() => worldOf().open('c')).toThrow(/c/);
});

test('7.3 a pod is reported once it crash-loops, then each change of its state; one that never did is not', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'waiting');
  put(world, 'q', 'u2', 'fine');
  put(world, 'r', 'u3', 'ending');
  const { news } = world.open('a');
  await settled();
  expect(news).toEqual([
    {
      type: 'changed',
      pod: { name: 'p', uid: 'u1', state: 'waiting', waits: waits('main'), spared: 'noController' },
    },
  ]);
  put(world, 'q', 'u2', 'waiting');
  put(world, 'p', 'u1', 'waiting');
  put(world, 'p', 'u1', 'fine');
  put(world, 'p', 'u1', 'fine');
  put(world, 'p', 'u1', 'waiting');
  put(world, 'p', 'u1', 'ending');
  world.seed.remove(path, 'shoot--a', 'p');
  world.seed.remove(path, 'shoot--a', 'r');
  await settled();
  expect(news.slice(1).map(words)).toEqual(['u2 waiting', 'u1 fine', 'u1 waiting', 'u1 ending', 'u1 gone']);
});

test('7.4 a watch that breaks is opened again with back-off, and is said to be this one of many', async () => {
  const world = worldOf();
  const { news } = world.open('a');
  await settled();
  world.seed.refusals.set(path, unreachable);
  world.seed.cut();
  await world.clock.advanceBy(60_000);
  const tries = world.seed.asked.length;
  expect(tries).toBeGreaterThan(4);
  expect(tries).toBeLessThan(14);
  put(world, 'p', 'u1', 'waiting');
  world.seed.refusals.clear();
  await world.clock.advanceBy(30_000);
  expect(news.map(words)).toEqual(['u1 waiting']);
  const told = world.notices.filter(({ kind }) => kind === 'out');
  expect(told).toMatchObject([
    { kind: 'out', stream: 'pods', of: 'shoot--a', refused: false, problem: 'connect ECONNREFUSED' },
  ]);
});

test('7.3 a list in between shows what a half-open watch hides, once in 10 s however often it is asked for', async () => {
  const world = worldOf();
  put(world, 'a', 'u1', 'waiting');
  put(world, 'b', 'u2', 'waiting');
  const { news, subscription } = world.open('a');
  await world.clock.advanceBy(20_000);
  world.seed.deaf = true;
  put(world, 'a', 'u1', 'fine');
  put(world, 'b', 'u2', 'waiting');
  await world.clock.advanceBy(1_000);
  expect(world.versionOf('shoot--a', { name: 'b', uid: 'u2' })).toBe('2');
  const listsBefore = lists(world);
  for (let count = 0; count < 100; count++) world.listAgain('shoot--a');
  world.listAgain('shoot--elsewhere');
  await world.clock.advanceBy(1_000);
  expect(news.map(words)).toEqual(['u1 waiting', 'u2 waiting', 'u1 fine']);
  expect(world.versionOf('shoot--a', { name: 'b', uid: 'u2' })).toBe('4');
  expect(lists(world) - listsBefore).toBe(1);

  for (let second = 0; second < 30; second++) {
    world.listAgain('shoot--a');
    await world.clock.advanceBy(1_000);
  }
  expect(lists(world) - listsBefore).toBe(4);
  subscription.unsubscribe();
  world.listAgain('shoot--a');
  await settled();
  expect(lists(world) - listsBefore).toBe(4);
});

const lists = ({ seed }: World): number => seed.asked.filter(({ verb }) => verb === 'list').length;

test('S8 what a server sends beside the namespace that was asked for, or without a uid, is no pod', async () => {
  const world = worldOf();
  world.seed.put(path, 'kube-system', 'p', podOf('u1', 'waiting', { a: '1' }, 'kube-system'));
  world.seed.put(path, 'shoot--a', 'q', podOf('', 'waiting', { a: '1' }));
  const { news } = world.open('a');
  await settled();
  world.seed.put(path, 'kube-system', 'p', podOf('u1', 'fine', { a: '1' }, 'kube-system'));
  await settled();
  expect(news).toEqual([]);
});

test('7.2 more pods than are kept are left out, each reported with its watch; what no selector picks takes no room', async () => {
  const world = worldOf();
  for (let n = 0; n < mostPods; n++) put(world, `another${n}`, `v${n}`, 'waiting', { c: '1' });
  for (let n = 0; n < mostPods + 2; n++) put(world, `p${n}`, `u${n}`, n < mostPods ? 'fine' : 'waiting');
  const { news } = world.open('a');
  await settled();
  while (world.seed.openWatches === 0) await settled();
  put(world, 'late', 'late', 'waiting');
  put(world, 'p1', 'u1', 'waiting');
  await settled();
  expect(news.map(words)).toEqual(['u1 waiting']);
  expect(world.notices.filter(({ kind }) => kind === 'overLimit')).toEqual(
    [`p${mostPods}`, `p${mostPods + 1}`, 'late'].map((name) => ({
      kind: 'overLimit',
      stream: 'pods',
      of: 'shoot--a',
      object: `shoot--a/${name}`,
      limit: mostPods,
    })),
  );
  put(world, 'p2', 'u2', 'fine', { c: '1' });
  put(world, 'later', 'later', 'waiting');
  await settled();
  expect(news.map(words), 'a pod that no selector picks any more makes room').toEqual(['u1 waiting', 'later waiting']);
});

type Step =
  | Readonly<{ do: 'put'; name: number; fate: Fate; a: boolean; b: boolean }>
  | Readonly<{ do: 'replace'; name: number; fate: Fate }>
  | Readonly<{ do: 'remove'; name: number }>
  | Readonly<{ do: 'join' | 'leave'; selector: string }>
  | Readonly<{ do: 'refuse' | 'cut' | 'garble' | 'compact' | 'settle' | 'wait' }>;

const fates = fc.constantFrom<Fate>('waiting', 'fine', 'ending');
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('put'),
        name: fc.nat(2),
        fate: fates,
        a: fc.boolean(),
        b: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('replace'), name: fc.nat(2), fate: fates }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove'), name: fc.nat(2) }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom('join', 'leave'), selector: fc.constantFrom('a', 'b') }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constantFrom('refuse', 'cut', 'garble', 'compact', 'settle', 'wait') }),
    },
  ) as fc.Arbitrary<Step>,
  { maxLength: 30 },
);

test('7.4 whatever happens to pods, windows and watches, in the end each pod is known as it is, and no state was reported twice', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const world = worldOf();
      const { seed } = world;
      const windows = new Map([['a', world.open('a')]]);
      const breaches: string[] = [];
      const leave = (selector: string) => {
        const left = windows.get(selector);
        left?.subscription.unsubscribe();
        windows.delete(selector);
        breaches.push(...accountOf(left?.news ?? []).breaches);
      };
      let incarnations = 0;
      const uids = new Map<string, string>();
      for (const step of history) {
        if (step.do === 'put' || step.do === 'replace') {
          const name = `p${step.name}`;
          if (step.do === 'replace') {
            seed.remove(path, 'shoot--a', name);
            uids.delete(name);
          }
          const uid = uids.get(name) ?? `u${(incarnations += 1)}`;
          uids.set(name, uid);
          const picked = step.do === 'replace' ? { a: true, b: true } : step;
          put(world, name, uid, step.fate, { ...(picked.a ? { a: '1' } : {}), ...(picked.b ? { b: '1' } : {}) });
        }
        if (step.do === 'remove') {
          seed.remove(path, 'shoot--a', `p${step.name}`);
          uids.delete(`p${step.name}`);
        }
        if (step.do === 'join' && !windows.has(step.selector)) windows.set(step.selector, world.open(step.selector));
        if (step.do === 'leave') leave(step.selector);
        if (step.do === 'refuse') {
          seed.refuse = () => unreachable;
          seed.cut();
        }
        if (step.do === 'cut') seed.cut();
        if (step.do === 'garble') seed.say(7);
        if (step.do === 'compact') seed.compact();
        if (step.do === 'settle') await settled();
        if (step.do === 'wait') await world.clock.advanceBy(1_000);
      }
      seed.refuse = () => undefined;
      await world.clock.advanceBy(60_000);

      expect(seed.openWatches).toBe(Math.min(windows.size, 1));
      for (const [selector, { news }] of windows) {
        const { known } = accountOf(news);
        // Every pod that crash-loops is known as such. Every other known pod really has the known state, and no further pod is known.
        const present = picked(seed, selector).filter(({ uid, state }) => state === 'waiting' || known.has(uid));
        expect(Object.fromEntries(known)).toEqual(Object.fromEntries(present.map(({ uid, state }) => [uid, state])));
      }
      for (const selector of ['a', 'b']) leave(selector);
      expect(breaches).toEqual([]);
      await settled();
      expect([seed.openWatches, world.clock.sleeping]).toEqual([0, 0]);
    }),
    { numRuns: 200 },
  );
});

/** What a subscriber knows at the end of the news, by uid, and which news broke the contract. */
function accountOf(news: readonly PodNews[]) {
  const known = new Map<string, string>();
  const holders = new Map<string, string>();
  const breaches: string[] = [];
  for (const one of news) {
    const { uid, name } = one.pod;
    if (one.type === 'gone') {
      if (!known.delete(uid)) breaches.push(`${uid} was never there`);
      holders.delete(name);
      continue;
    }
    if (one.pod.state === known.get(uid)) breaches.push(`${uid} was told twice`);
    if (!known.has(uid) && one.pod.state !== 'waiting') breaches.push(`${uid} was fine`);
    if ((holders.get(name) ?? uid) !== uid) breaches.push(`${uid} came before its forerunner had gone`);
    known.set(uid, one.pod.state);
    holders.set(name, uid);
  }
  return { known, breaches };
}

function picked(seed: ScriptedSeed, selector: string): { uid: string; state: Fate }[] {
  return seed.objects(path).flatMap((object) => {
    const {
      labels = {},
      uid,
      deletionTimestamp,
    } = object.metadata as (typeof object)['metadata'] & {
      uid: string;
      deletionTimestamp?: string;
    };
    if (!(selector in labels)) return [];
    const { containerStatuses } = object['status'] as { containerStatuses: { state: { waiting?: unknown } }[] };
    const waits = containerStatuses.some(({ state }) => state.waiting !== undefined);
    return [{ uid, state: deletionTimestamp !== undefined ? 'ending' : waits ? 'waiting' : 'fine' }];
  });
}

test('7.4 6.6 pods of a seed that was restored are believed as they are there now, the deleted ones that are back included', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'waiting', { a: '1', b: '1' });
  put(world, 'q', 'u2', 'waiting', { b: '1' });
  put(world, 'r', 'u3', 'waiting', { a: '1' });
  const restore = world.seed.backup();
  const { news } = world.open('a', 'b');
  await settled();
  put(world, 'p', 'u1', 'fine', { a: '1', b: '1' });
  world.seed.remove(path, 'shoot--a', 'r');
  await settled();
  expect(news.map(words).toSorted()).toEqual(['u1 fine', 'u1 waiting', 'u2 waiting', 'u3 gone', 'u3 waiting']);
  news.length = 0;
  restore(1_000);
  await world.clock.advanceBy(10_000);
  const last = new Map(news.map(({ type, pod }) => [pod.uid, type]));
  expect([...last]).toEqual(
    expect.arrayContaining([
      ['u1', 'changed'],
      ['u2', 'changed'],
      ['u3', 'changed'],
    ]),
  );
  for (const uid of ['u1', 'u2'])
    expect(
      news.filter(({ pod }) => pod.uid === uid).map(({ type }) => type),
      'what was known of it is void',
    ).toEqual(expect.arrayContaining(['gone', 'changed']));
  put(world, 'p', 'u1', 'fine', { a: '1', b: '1' });
  await settled();
  expect(news.map(words).at(-1)).toBe('u1 fine');
});

test('7.4 6.6 what the stream showed before the seed was restored is not told to a service that joins before the list', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'waiting', { a: '1', b: '1' });
  const restore = world.seed.backup();
  const first = world.open('a');
  await settled();
  put(world, 'q', 'u2', 'waiting', { a: '1', b: '1' });
  await settled();
  world.seed.refuse = () => unreachable;
  restore(1_000);
  await settled();
  // Another stream of the seed has found out.
  world.history.goBack();
  const second = world.open('b');
  expect(second.news).toEqual([]);
  world.seed.refuse = () => undefined;
  await world.clock.advanceBy(60_000);
  expect(first.news.map(words)).toEqual(['u1 waiting', 'u2 waiting', 'u1 gone', 'u2 gone', 'u1 waiting']);
  expect(second.news.map(words)).toEqual(['u1 waiting']);
});

test('7.3 6.6 it tells the version in which a pod was seen to crash-loop, while that is the last that was seen, in this history', async () => {
  const world = worldOf();
  const versionOf = (uid: string) => world.versionOf('shoot--a', { name: 'p', uid });
  put(world, 'p', 'u1', 'waiting');
  expect(versionOf('u1')).toBe(undefined);
  world.open('a');
  await settled();
  const first = versionOf('u1');
  expect([typeof first, versionOf('u2'), world.versionOf('shoot--b', { name: 'p', uid: 'u1' })]).toEqual([
    'string',
    undefined,
    undefined,
  ]);
  put(world, 'p', 'u1', 'waiting');
  await settled();
  expect(Number(versionOf('u1'))).toBeGreaterThan(Number(first));
  world.history.goBack();
  expect(versionOf('u1')).toBe(undefined);
  await world.clock.advanceBy(1_000);
  expect(typeof versionOf('u1')).toBe('string');
  for (const fate of ['fine', 'ending'] as const) {
    put(world, 'p', 'u1', fate);
    await settled();
    expect(versionOf('u1')).toBe(undefined);
  }
});

const ownerReferences = [{ uid: 'o', controller: true }];

/** A pod that a controller makes, and that no selector picks unless told. */
function putOwned({ seed }: World, name: string, fate: Fate, labels: Record<string, string> = { c: '1' }, more = {}) {
  const { metadata, ...rest } = podOf(`uid-${name}`, fate, labels);
  seed.put(path, 'shoot--a', name, { ...rest, metadata: { ...metadata, ownerReferences, ...more } });
}

const sparedWords = (one: PodNews) =>
  `${words(one)}${one.type === 'changed' && one.pod.spared !== undefined ? `, ${one.pod.spared}` : ''}`;

test('7.7 S8 what crash-loops and no selector picks is told of, and no version of it is known to delete it by', async () => {
  const world = worldOf();
  putOwned(world, 'csi', 'waiting');
  putOwned(world, 'well', 'fine');
  putOwned(world, 'going', 'ending');
  putOwned(world, 'static', 'waiting', { c: '1' }, { annotations: { 'kubernetes.io/config.mirror': 'x' } });
  put(world, 'lone', 'u-lone', 'waiting', { c: '1' });
  putOwned(world, 'others', 'waiting', { b: '1' });
  const { news } = world.open('a');
  await settled();
  expect(news.map(sparedWords), 'what another service’s selector picks is none of them').toEqual([
    'uid-csi waiting, unselected',
  ]);
  const csi = { name: 'csi', uid: 'uid-csi' };
  expect(world.versionOf('shoot--a', csi)).toBe(undefined);
  putOwned(world, 'csi', 'waiting', { a: '1' });
  await settled();
  expect(world.versionOf('shoot--a', csi)).toBeDefined();
  putOwned(world, 'csi', 'waiting');
  await settled();
  expect(world.versionOf('shoot--a', csi)).toBe(undefined);
  putOwned(world, 'csi', 'fine');
  await settled();
  expect(news.slice(1).map(sparedWords)).toEqual(['uid-csi waiting', 'uid-csi waiting, unselected', 'uid-csi gone']);
});

test('7.7 7.4 a hundred of them are kept, without a word on the others, and they take no other pod’s place', async () => {
  const world = worldOf();
  for (let n = 0; n < mostUnselected + 20; n++) putOwned(world, `csi${n}`, 'waiting');
  for (let n = 0; n < mostPods; n++) put(world, `p${n}`, `u${n}`, 'fine');
  const { news } = world.open('a');
  await settled();
  while (world.seed.openWatches === 0) await settled();
  expect(news).toHaveLength(mostUnselected);
  expect(world.notices.filter(({ kind }) => kind === 'overLimit')).toEqual([]);
  put(world, 'p1', 'u1', 'waiting');
  put(world, 'late', 'late', 'waiting');
  putOwned(world, 'another', 'waiting');
  await settled();
  expect(news.slice(mostUnselected).map(words)).toEqual(['u1 waiting']);
  expect(world.notices.filter(({ kind }) => kind === 'overLimit')).toHaveLength(1);
});

test('7.7 of two services whose windows are open, the first is told of them; the other one, once it is alone', async () => {
  const world = worldOf();
  putOwned(world, 'csi', 'waiting');
  putOwned(world, 'kcm', 'waiting', { b: '1' });
  const [first, second] = [world.open('a'), world.open('b')];
  await settled();
  putOwned(world, 'ext', 'waiting');
  await settled();
  expect([first, second].map(({ news }) => news.map(words))).toEqual([
    ['uid-csi waiting', 'uid-ext waiting'],
    ['uid-kcm waiting'],
  ]);
  putOwned(world, 'kcm', 'waiting');
  await settled();
  expect(second.news.slice(1).map(words), 'what its own selectors pick no more is gone').toEqual(['uid-kcm gone']);
  first.subscription.unsubscribe();
  putOwned(world, 'late', 'waiting');
  await settled();
  expect(second.news.slice(2).map(sparedWords)).toEqual(['uid-late waiting, unselected']);
});
