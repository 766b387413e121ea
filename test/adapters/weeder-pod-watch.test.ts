import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import type { StreamNotice } from '../../src/adapters/reflector/stream-trouble.ts';
import { mostPods, podWatch } from '../../src/adapters/weeder-seed/pod-watch.ts';
import type { PodSelector } from '../../src/domain/weeder/weeder-config.ts';
import type { PodNews } from '../../src/effects/ports.ts';
import { settled, VirtualClock } from '../support/virtual-clock.ts';
import { errorLine, ScriptedSeed, statusError } from './seed-watch-scripted.ts';

const path = '/api/v1/namespaces/shoot--a/pods';
const unreachable = new KubeError('unreachable', 'connect ECONNREFUSED');
const service = { namespace: 'shoot--a', service: 'kube-apiserver' };

function worldOf() {
  const clock = new VirtualClock(1_000);
  const seed = new ScriptedSeed(clock);
  const notices: StreamNotice[] = [];
  const watch = podWatch({ client: seed, clock, chance: () => 0.5, notice: (notice) => notices.push(notice) });
  const open = (...selectors: readonly PodSelector[]) => {
    const news: PodNews[] = [];
    return { news, subscription: watch.pods$(service, selectors).subscribe((one) => news.push(one)) };
  };
  return { clock, seed, notices, open };
}

type World = ReturnType<typeof worldOf>;
type Fate = 'crashLooping' | 'fine' | 'ending';

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

test('7.2 there is one watch for each selector, in the namespace of the service, and all of it is urgent', async () => {
  const world = worldOf();
  const { subscription } = world.open('a in (1)', 'b in (2)', 'a in (1)');
  await settled();
  expect(world.seed.asked.map(({ verb, query }) => `${verb} ${query['labelSelector']}`).toSorted()).toEqual([
    'list a in (1)',
    'list b in (2)',
    'watch a in (1)',
    'watch b in (2)',
  ]);
  expect(new Set(world.seed.asked.map((one) => one.path))).toEqual(new Set([path]));
  expect(world.seed.asked.every(({ lane }) => lane === 'urgent')).toBe(true);
  subscription.unsubscribe();
});

test('7.3 a pod is reported once it crash-loops, then each change of its state; one that never did is not', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'crashLooping');
  put(world, 'q', 'u2', 'fine');
  put(world, 'r', 'u3', 'ending');
  const { news, subscription } = world.open('a');
  await settled();
  expect(news).toEqual([
    { type: 'changed', pod: { name: 'p', uid: 'u1', state: 'crashLooping', containers: ['main'] } },
  ]);
  put(world, 'q', 'u2', 'crashLooping');
  put(world, 'p', 'u1', 'crashLooping');
  put(world, 'p', 'u1', 'fine');
  put(world, 'p', 'u1', 'fine');
  put(world, 'p', 'u1', 'crashLooping');
  put(world, 'p', 'u1', 'ending');
  world.seed.remove(path, 'shoot--a', 'p');
  world.seed.remove(path, 'shoot--a', 'r');
  await settled();
  expect(news.slice(1).map(words)).toEqual(['u2 crashLooping', 'u1 fine', 'u1 crashLooping', 'u1 ending', 'u1 gone']);
  subscription.unsubscribe();
});

test('7.3 another incarnation of the same name is another pod: the old one is gone, then the new one counts by itself', async () => {
  const world = worldOf();
  put(world, 'etcd-main-0', 'u1', 'crashLooping');
  const { news, subscription } = world.open('a');
  await settled();
  world.seed.deaf = true;
  world.seed.remove(path, 'shoot--a', 'etcd-main-0');
  put(world, 'etcd-main-0', 'u2', 'crashLooping');
  world.seed.deaf = false;
  world.seed.compact();
  world.seed.cut();
  await settled();
  expect(news.map(words)).toEqual(['u1 crashLooping', 'u1 gone', 'u2 crashLooping']);
  world.seed.remove(path, 'shoot--a', 'etcd-main-0');
  put(world, 'etcd-main-0', 'u3', 'fine');
  await settled();
  expect(news.slice(3).map(words)).toEqual(['u2 gone']);
  subscription.unsubscribe();
});

test('7.2 a pod that several selectors pick is one, and is gone when none picks it any more', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'crashLooping', { a: '1', b: '1' });
  const { news, subscription } = world.open('a', 'b');
  await settled();
  put(world, 'p', 'u1', 'crashLooping', { b: '1' });
  await settled();
  put(world, 'p', 'u1', 'fine', { b: '1' });
  await settled();
  expect(news.map(words)).toEqual(['u1 crashLooping', 'u1 fine']);
  put(world, 'p', 'u1', 'fine', {});
  await settled();
  expect(news.slice(2).map(words)).toEqual(['u1 gone']);
  put(world, 'p', 'u1', 'crashLooping', { a: '1' });
  await settled();
  expect(news.slice(3).map(words)).toEqual(['u1 crashLooping']);
  subscription.unsubscribe();
});

test('7.2 where the watch of one selector lags behind, the newest of a pod counts, and what it catches up on is no news', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'crashLooping', { a: '1', b: '1' });
  const { news, subscription } = world.open('a', 'b');
  await settled();
  // The first watch breaks and cannot be opened again for a while.
  world.seed.refuse = ({ labelSelector }) => (labelSelector === 'a' ? unreachable : undefined);
  world.seed.cut();
  await settled();
  put(world, 'p', 'u1', 'fine', { a: '1', b: '1' });
  await settled();
  world.seed.remove(path, 'shoot--a', 'p');
  await settled();
  put(world, 'p', 'u2', 'crashLooping', { a: '1', b: '1' });
  await settled();
  world.seed.remove(path, 'shoot--a', 'p');
  await settled();
  const sofar = news.map(words);
  expect(sofar).toEqual(['u1 crashLooping', 'u1 fine', 'u1 gone', 'u2 crashLooping', 'u2 gone']);
  world.seed.refuse = () => undefined;
  await world.clock.advanceBy(60_000);
  expect(news.map(words)).toEqual(sofar);
  subscription.unsubscribe();
});

test('7.4 a relist tells nothing twice, and nothing that happened meanwhile is lost', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'crashLooping');
  put(world, 'q', 'u2', 'crashLooping');
  put(world, 'r', 'u3', 'fine');
  const { news, subscription } = world.open('a');
  await settled();
  const before = news.length;
  for (let n = 0; n < 5; n++) {
    world.seed.compact();
    world.seed.say(errorLine(410, 'too old resource version'));
    await world.clock.advanceBy(40_000);
  }
  expect(news).toHaveLength(before);
  world.seed.deaf = true;
  put(world, 'r', 'u3', 'crashLooping');
  put(world, 'q', 'u2', 'ending');
  world.seed.remove(path, 'shoot--a', 'p');
  world.seed.deaf = false;
  world.seed.compact();
  world.seed.cut();
  await settled();
  expect(news.slice(before).map(words).toSorted()).toEqual(['u1 gone', 'u2 ending', 'u3 crashLooping']);
  subscription.unsubscribe();
});

test('7.4 a watch that breaks is opened again with back-off, and is said to be this one of many', async () => {
  const world = worldOf();
  const { news, subscription } = world.open('a');
  await settled();
  world.seed.refusals.set(path, unreachable);
  world.seed.cut();
  await world.clock.advanceBy(60_000);
  const tries = world.seed.asked.length;
  expect(tries).toBeGreaterThan(4);
  expect(tries).toBeLessThan(14);
  put(world, 'p', 'u1', 'crashLooping');
  world.seed.refusals.clear();
  await world.clock.advanceBy(30_000);
  expect(news.map(words)).toEqual(['u1 crashLooping']);
  const told = world.notices.filter(({ kind }) => kind === 'out');
  expect(told).toMatchObject([
    { kind: 'out', stream: 'pods', of: 'shoot--a/kube-apiserver a', refused: false, problem: 'connect ECONNREFUSED' },
  ]);
  subscription.unsubscribe();
});

test('7.4 garbage costs a relist and no more', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'crashLooping');
  const { news, subscription } = world.open('a');
  await settled();
  for (const line of [7, { type: 'ADDED' }, { type: 'MODIFIED', object: { metadata: { name: 'x' } } }, 'null']) {
    world.seed.say(line);
    await world.clock.advanceBy(60_000);
  }
  put(world, 'q', 'u2', 'crashLooping');
  await settled();
  expect(news.map(words)).toEqual(['u1 crashLooping', 'u2 crashLooping']);
  subscription.unsubscribe();
});

test('7.4 over a connection that is half open nothing is lost: silence ends in a list', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'crashLooping');
  const { news, subscription } = world.open('a');
  await settled();
  world.seed.deaf = true;
  put(world, 'q', 'u2', 'crashLooping');
  await world.clock.advanceBy(89_000);
  expect(news.map(words)).toEqual(['u1 crashLooping']);
  world.seed.deaf = false;
  await world.clock.advanceBy(2_000);
  expect(news.map(words)).toEqual(['u1 crashLooping', 'u2 crashLooping']);
  subscription.unsubscribe();
});

test('S8 what a server sends beside the namespace that was asked for, or without a uid, is no pod', async () => {
  const world = worldOf();
  world.seed.put(path, 'kube-system', 'p', podOf('u1', 'crashLooping', { a: '1' }, 'kube-system'));
  world.seed.put(path, 'shoot--a', 'q', podOf('', 'crashLooping', { a: '1' }));
  const { news, subscription } = world.open('a');
  await settled();
  world.seed.put(path, 'kube-system', 'p', podOf('u1', 'fine', { a: '1' }, 'kube-system'));
  await settled();
  expect(news).toEqual([]);
  subscription.unsubscribe();
});

test('7.2 more pods than are kept are left out, each reported with its watch', async () => {
  const world = worldOf();
  for (let n = 0; n < mostPods + 2; n++) put(world, `p${n}`, `u${n}`, n < mostPods ? 'fine' : 'crashLooping');
  const { news, subscription } = world.open('a');
  await settled();
  while (world.seed.openWatches === 0) await settled();
  put(world, 'late', 'late', 'crashLooping');
  put(world, 'p1', 'u1', 'crashLooping');
  await settled();
  expect(news.map(words)).toEqual(['u1 crashLooping']);
  expect(world.notices.filter(({ kind }) => kind === 'overLimit')).toEqual(
    [`p${mostPods}`, `p${mostPods + 1}`, 'late'].map((name) => ({
      kind: 'overLimit',
      stream: 'pods',
      of: 'shoot--a/kube-apiserver a',
      object: `shoot--a/${name}`,
      limit: mostPods,
    })),
  );
  subscription.unsubscribe();
});

test('7.2 leaving ends everything at once, wherever the watch is: listing, watching or resting', async () => {
  for (const moment of ['listing', 'watching', 'resting']) {
    const world = worldOf();
    if (moment === 'listing') world.seed.faults.list.push(null, null);
    if (moment === 'resting') world.seed.refusals.set(path, statusError(500, 'not now'));
    const { news, subscription } = world.open('a', 'b');
    await settled();
    subscription.unsubscribe();
    put(world, 'p', 'u1', 'crashLooping');
    world.seed.refusals.clear();
    const asked = world.seed.asked.length;
    await world.clock.advanceBy(600_000);
    expect([news, world.seed.openWatches, world.clock.sleeping]).toEqual([[], 0, 0]);
    expect(world.seed.asked).toHaveLength(asked);
  }
});

type Step =
  | Readonly<{ do: 'put'; name: number; fate: Fate; a: boolean; b: boolean }>
  | Readonly<{ do: 'replace'; name: number; fate: Fate }>
  | Readonly<{ do: 'remove'; name: number }>
  | Readonly<{ do: 'lag'; of: string }>
  | Readonly<{ do: 'cut' | 'garble' | 'compact' | 'settle' | 'wait' }>;

const fates = fc.constantFrom<Fate>('crashLooping', 'fine', 'ending');
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
    { weight: 2, arbitrary: fc.record({ do: fc.constant('lag'), of: fc.constantFrom('a', 'b', '') }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('cut', 'garble', 'compact', 'settle', 'wait') }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 30 },
);

test('7.4 whatever happens to pods and watches, in the end each pod is known as it is, and no state was reported twice', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const world = worldOf();
      const { seed } = world;
      const { news, subscription } = world.open('a', 'b');
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
        if (step.do === 'lag') {
          seed.refuse = ({ labelSelector }) => (labelSelector === step.of ? unreachable : undefined);
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

      const { known, breaches } = accountOf(news);
      expect(breaches).toEqual([]);
      // Every pod that crash-loops is known as such. Every other known pod really has the known state, and no further pod is known.
      const present = picked(seed).filter(({ uid, state }) => state === 'crashLooping' || known.has(uid));
      expect(Object.fromEntries(known)).toEqual(Object.fromEntries(present.map(({ uid, state }) => [uid, state])));
      subscription.unsubscribe();
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
    if (!known.has(uid) && one.pod.state !== 'crashLooping') breaches.push(`${uid} was fine`);
    if ((holders.get(name) ?? uid) !== uid) breaches.push(`${uid} came before its forerunner had gone`);
    known.set(uid, one.pod.state);
    holders.set(name, uid);
  }
  return { known, breaches };
}

function picked(seed: ScriptedSeed): { uid: string; state: Fate }[] {
  return seed.objects(path).flatMap((object) => {
    const {
      labels = {},
      uid,
      deletionTimestamp,
    } = object.metadata as (typeof object)['metadata'] & {
      uid: string;
      deletionTimestamp?: string;
    };
    if (!('a' in labels || 'b' in labels)) return [];
    const { containerStatuses } = object['status'] as { containerStatuses: { state: { waiting?: unknown } }[] };
    const waits = containerStatuses.some(({ state }) => state.waiting !== undefined);
    return [{ uid, state: deletionTimestamp !== undefined ? 'ending' : waits ? 'crashLooping' : 'fine' }];
  });
}

test('7.4 6.6 pods of a seed that was restored are believed as they are there now, the deleted ones that are back included', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'crashLooping', { a: '1', b: '1' });
  put(world, 'q', 'u2', 'crashLooping', { b: '1' });
  put(world, 'r', 'u3', 'crashLooping', { a: '1' });
  const restore = world.seed.backup();
  const { news, subscription } = world.open('a', 'b');
  await settled();
  put(world, 'p', 'u1', 'fine', { a: '1', b: '1' });
  world.seed.remove(path, 'shoot--a', 'r');
  await settled();
  expect(news.map(words).toSorted()).toEqual([
    'u1 crashLooping',
    'u1 fine',
    'u2 crashLooping',
    'u3 crashLooping',
    'u3 gone',
  ]);
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
  subscription.unsubscribe();
});

test('7.4 6.6 what a selector showed before the seed was restored counts no more, though its list is late', async () => {
  const world = worldOf();
  put(world, 'p', 'u1', 'crashLooping', { a: '1', b: '1' });
  const restore = world.seed.backup();
  const { news, subscription } = world.open('a', 'b');
  await settled();
  put(world, 'p', 'u1', 'fine', { a: '1', b: '1' });
  await settled();
  world.seed.refuse = ({ labelSelector }) => (labelSelector === 'b' ? unreachable : undefined);
  restore(1_000);
  await world.clock.advanceBy(10_000);
  expect(news.map(words)).toEqual(['u1 crashLooping', 'u1 fine', 'u1 gone', 'u1 crashLooping']);
  world.seed.refuse = () => undefined;
  await world.clock.advanceBy(60_000);
  expect(news.slice(4).map(words)).toEqual([]);
  subscription.unsubscribe();
});
