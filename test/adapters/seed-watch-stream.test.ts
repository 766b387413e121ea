import * as fc from 'fast-check';
import type { Subscription } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import type { StoredObject, StreamItem, StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import { reflector } from '../../src/adapters/reflector/reflector.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { errorLine, ScriptedSeed, statusError } from './seed-watch-scripted.ts';

const path = '/apis/apps/v1/deployments';

type World = ReturnType<typeof worldOf>;

function worldOf(limit = 1_000) {
  const clock = new VirtualClock(1_000);
  const seed = new ScriptedSeed(clock);
  const store = new Map<string, StoredObject<unknown>>();
  const items: StreamItem<unknown>[] = [];
  const notices: StreamNotice[] = [];
  const stream = reflector<unknown>({
    stream: 'deployments/kcm',
    client: seed,
    clock,
    chance: () => 0.5,
    path,
    query: { fieldSelector: 'metadata.name=kcm' },
    pageSize: 3,
    project: (object) => {
      const { size } = object as { size: unknown };
      if (size === 'poison') throw new Error('a poisoned object');
      return size;
    },
    limit,
    objects: store,
    notice: (notice) => notices.push(notice),
  });
  /** Until the test is over, or before. */
  const open = (): Subscription => {
    const subscription = stream.subscribe((item) => items.push(item));
    onTestFinished(() => subscription.unsubscribe());
    return subscription;
  };
  return { clock, seed, store, items, notices, open };
}

/** What the store holds, as `namespace: value`. */
const kept = ({ store }: World) =>
  Object.fromEntries([...store.values()].map(({ namespace, value }) => [namespace, value]));
const told = ({ items }: World) => items.map(({ type }) => type);
const restarts = ({ notices }: World) => notices.flatMap((notice) => (notice.kind === 'restarted' ? [notice.why] : []));
const verbs = ({ seed }: World) => seed.asked.map(({ verb }) => verb);
const put = ({ seed }: World, namespace: string, size: unknown) => seed.put(path, namespace, 'kcm', { size });

test('6.2 a list is read page by page as of now, then watched with bookmarks from where it ended', async () => {
  const world = worldOf();
  for (let n = 0; n < 7; n++) put(world, `ns${n}`, n);
  world.seed.put(path, 'ns0', 'another', { size: 99 });
  world.open();
  await settled();

  expect(kept(world)).toEqual({ ns0: 0, ns1: 1, ns2: 2, ns3: 3, ns4: 4, ns5: 5, ns6: 6 });
  expect(told(world)).toEqual(['listed', 'live']);
  expect(verbs(world)).toEqual(['list', 'list', 'list', 'watch']);
  for (const { query } of world.seed.asked.slice(0, 3)) {
    expect(query).toMatchObject({ fieldSelector: 'metadata.name=kcm', limit: '3' });
    expect(query).not.toHaveProperty('resourceVersion');
  }
  expect(world.seed.asked[3]?.query).toEqual({
    fieldSelector: 'metadata.name=kcm',
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: '8',
    timeoutSeconds: '450',
  });
});

test('6.2 a watch that the server ends in good order is opened again at once, without a list, from the last bookmark', async () => {
  const world = worldOf();
  world.open();
  await settled();
  world.seed.put(path, 'elsewhere', 'another');
  await world.clock.advanceBy(449_000);
  expect(verbs(world)).toEqual(['list', 'watch']);
  await world.clock.advanceBy(1_000);

  expect(verbs(world)).toEqual(['list', 'watch', 'watch']);
  expect(world.seed.asked[2]?.query['resourceVersion']).toBe('1');
  expect(told(world).filter((type) => type !== 'advanced')).toEqual(['listed', 'live']);
  expect(restarts(world)).toEqual([]);
  expect(world.notices.filter(({ kind }) => kind === 'renewed')).toHaveLength(1);
});

test('6.6 a connection that breaks is opened again at once, and what happened meanwhile is caught up on', async () => {
  const world = worldOf();
  put(world, 'a', 1);
  world.open();
  await world.clock.advanceBy(20_000);
  put(world, 'a', 2);
  await settled();
  world.seed.cut();
  put(world, 'a', 3);
  world.seed.remove(path, 'a', 'kcm');
  put(world, 'b', 4);
  await settled();

  expect(kept(world)).toEqual({ b: 4 });
  expect(world.seed.asked[2]?.query['resourceVersion']).toBe('2');
  expect(verbs(world)).toEqual(['list', 'watch', 'watch', 'look']);
  expect(told(world)).not.toContain('out');
  expect(restarts(world)).toEqual(['failed']);
});

/** A seed of two objects. The returned function restores a backup that has one of them, in versions that are long gone; connections break. */
function restorable(): { world: ReturnType<typeof worldOf>; restore: () => void } {
  const world = worldOf();
  put(world, 'a', 1);
  const undo = world.seed.backup();
  for (let size = 2; size < 9; size++) put(world, 'b', size);
  return {
    world,
    restore() {
      undo(0, false);
      world.seed.wind(1);
    },
  };
}

const rewinds = ({ items }: ReturnType<typeof worldOf>): readonly boolean[] =>
  items.flatMap((item) => (item.type === 'listed' ? [item.rewound] : []));

test('6.6 a watch that was cut, and is told nothing since the seed was restored, is not relied upon', async () => {
  const { world, restore } = restorable();
  world.open();
  await world.clock.advanceBy(20_000);
  restore();
  await settled();
  expect(verbs(world)).toEqual(['list', 'watch', 'watch', 'look', 'list', 'watch']);
  expect(kept(world)).toEqual({ a: 1 });
  expect(rewinds(world)).toEqual([false, true]);
});

test('6.6 where the seed stands is asked until it is answered, and not after the watch has ended', async () => {
  const { world, restore } = restorable();
  world.open();
  await world.clock.advanceBy(20_000);
  const refusal = statusError(503, 'etcdserver: leader changed');
  world.seed.faults.look.push(refusal, refusal);
  restore();
  await world.clock.advanceBy(9_000);
  expect(rewinds(world)).toEqual([false]);
  await world.clock.advanceBy(1_000);
  expect(rewinds(world)).toEqual([false, true]);

  await world.clock.advanceBy(20_000);
  world.seed.faults.look.push(refusal);
  world.seed.cut();
  await settled();
  const before = world.seed.asked.length;
  world.seed.say({ type: 'ERROR', object: { kind: 'Status', code: 410 } });
  await world.clock.advanceBy(60_000);
  expect(world.seed.asked.slice(before).map(({ verb }) => verb)).toEqual(['list', 'watch']);
});

test.each([
  ['no event', { hello: 'there' }],
  ['a bare number', 7],
  ['an event without an object', { type: 'ADDED' }],
  ['an object without a name', { type: 'MODIFIED', object: { metadata: { resourceVersion: '9' } } }],
  ['a bookmark without a version', { type: 'BOOKMARK', object: {} }],
  ['a line that is no JSON', new KubeError('garbled', 'a line is no JSON')],
])('6.6 %s in a watch is counted and answered by a list', async (_, line) => {
  const world = worldOf();
  world.open();
  await world.clock.advanceBy(20_000);
  world.seed.say(line);
  put(world, 'a', 1);
  await settled();

  expect(kept(world)).toEqual({ a: 1 });
  expect(verbs(world)).toEqual(['list', 'watch', 'list', 'watch']);
  expect(restarts(world)).toEqual(['garbled']);
  expect(told(world)).not.toContain('out');
});

test('6.6 an answer that is no list is asked for again after a pause', async () => {
  const world = worldOf();
  world.seed.request = () => Promise.resolve({ kind: 'Status' });
  world.open();
  await settled();
  expect(restarts(world)).toEqual(['garbled']);
  await world.clock.advanceBy(30_000);
  expect(restarts(world).length).toBeGreaterThan(3);
});

test('6.6 a watch that stays silent is given up for a list, bookmarks keep it', async () => {
  const world = worldOf();
  world.open();
  await world.clock.advanceBy(280_000);
  expect(restarts(world)).toEqual([]);
  world.seed.deaf = true;
  await world.clock.advanceBy(95_000);
  expect(restarts(world)).toEqual(['silent']);
  expect(verbs(world)).toEqual(['list', 'watch', 'list', 'watch']);
});

test('6.6 a watch that nobody answers is out after five seconds, and live when it is answered', async () => {
  const world = worldOf();
  put(world, 'a', 1);
  world.open();
  await world.clock.advanceBy(20_000);
  world.seed.latency = 30_000;
  world.seed.cut();
  await world.clock.advanceBy(4_900);
  expect(told(world)).toEqual(['listed', 'live']);
  await world.clock.advanceBy(200);
  expect(world.items.at(-1)).toEqual({ type: 'out', refused: false, problem: 'the server does not answer' });
  await world.clock.advanceBy(25_000);
  expect(world.items.at(-1)).toEqual({ type: 'live' });
});

test('6.6 a kind that may not be listed is out as refused, is asked for again, and is live once it may be', async () => {
  const world = worldOf();
  put(world, 'a', 1);
  world.seed.refusals.set(path, statusError(403, 'deployments is forbidden'));
  world.open();
  await world.clock.advanceBy(60_000);
  expect(world.items).toEqual([{ type: 'out', refused: true, problem: 'deployments is forbidden' }]);
  expect(world.notices.filter(({ kind }) => kind === 'out')).toHaveLength(1);
  expect(world.seed.asked.length).toBeLessThan(12);
  world.seed.refusals.clear();
  await world.clock.advanceBy(30_000);
  expect(told(world)).toEqual(['out', 'listed', 'live']);
});

test('6.6 what is new of a kind that may be listed but not watched is known within half a minute', async () => {
  const world = worldOf();
  for (let n = 0; n < 200; n++) world.seed.faults.watch.push(statusError(403, 'may not watch'));
  world.open();
  for (let round = 0; round < 10; round++) {
    put(world, 'a', round);
    await world.clock.advanceBy(30_000);
    expect(kept(world)).toEqual({ a: round });
  }
});

test('6.6 a quiet spell brings the short pauses back', async () => {
  const world = worldOf();
  const refusal = statusError(500, 'no');
  world.seed.faults.list.push(...Array.from({ length: 8 }, () => refusal));
  world.open();
  await world.clock.advanceBy(200_000);
  expect(told(world).at(-1)).toBe('advanced');
  world.seed.faults.watch.push(refusal);
  world.seed.cut();
  await world.clock.advanceBy(1_700);
  expect(told(world).slice(-3)).toEqual(['out', 'listed', 'live']);
});

test('3.4 an object that cannot be projected costs only itself, and stays as it was known', async () => {
  const world = worldOf();
  put(world, 'a', 1);
  put(world, 'b', 'poison');
  world.open();
  await world.clock.advanceBy(20_000);
  put(world, 'a', 'poison');
  put(world, 'c', 3);
  await settled();
  expect(kept(world)).toEqual({ a: 1, c: 3 });

  world.seed.say({});
  await settled();
  expect(kept(world)).toEqual({ a: 1, c: 3 });
  expect(world.notices.filter(({ kind }) => kind === 'unprojected')).toHaveLength(4);
  put(world, 'a', 5);
  await settled();
  expect(kept(world)).toEqual({ a: 5, c: 3 });
  expect(told(world)).not.toContain('out');
});

test('3.4 no more objects are kept than the limit, and each one beyond is reported', async () => {
  const world = worldOf(2);
  for (const namespace of ['a', 'b', 'c']) put(world, namespace, 1);
  world.open();
  await settled();
  expect(kept(world)).toEqual({ a: 1, b: 1 });
  expect(world.items[0]).toMatchObject({ type: 'listed', dropped: 1 });
  put(world, 'd', 1);
  put(world, 'a', 2);
  await settled();
  expect(kept(world)).toEqual({ a: 2, b: 1 });
  expect(told(world)).toEqual(['listed', 'live', 'dropped', 'applied']);
  expect(world.notices.filter(({ kind }) => kind === 'overLimit')).toHaveLength(2);
});

test.each([
  ['while a list is asked for', { latency: 1_000 }, 500],
  ['while a watch is opened', { latency: 1_000 }, 1_500],
  ['while it watches', {}, 500],
  ['while it rests', { refused: true }, 500],
])(
  '1.4 unsubscribing %s cuts everything',
  async (_, { latency = 0, refused = false }: { latency?: number; refused?: boolean }, after) => {
    const world = worldOf();
    world.seed.latency = latency;
    if (refused) world.seed.refusals.set(path, statusError(403, 'forbidden'));
    const open = world.open();
    await world.clock.advanceBy(after);
    open.unsubscribe();
    await settled();
    const asked = world.seed.asked.length;
    const items = world.items.length;
    put(world, 'a', 1);
    await world.clock.advanceBy(600_000);

    expect(world.seed.openWatches).toBe(0);
    expect(world.seed.asked).toHaveLength(asked);
    expect(world.items).toHaveLength(items);
    expect(world.clock.sleeping).toBe(0);
  },
);

type Deed = Readonly<{ deed: string; namespace: string; value: number }>;

const anyDeed: fc.Arbitrary<Deed> = fc.record({
  deed: fc.constantFrom(
    'put',
    'put',
    'put',
    'remove',
    'remove',
    'cut',
    'end',
    'compact',
    'expire',
    'garble',
    'overload',
    'failList',
    'failWatch',
    'hangWatch',
    'deafen',
    'hear',
    'settle',
    'wait',
    'waitLong',
    'bookmark',
    'slow',
    'fast',
  ),
  namespace: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  value: fc.nat(50_000),
});

async function act(world: World, { deed, namespace, value }: Deed): Promise<void> {
  const { seed, clock } = world;
  if (deed === 'put') put(world, namespace, value);
  if (deed === 'remove') seed.remove(path, namespace, 'kcm');
  if (deed === 'cut') seed.cut();
  if (deed === 'end') seed.say(null);
  if (deed === 'compact') seed.compact();
  if (deed === 'expire') seed.say(errorLine(410, 'too old'));
  if (deed === 'overload') seed.say(errorLine(500, 'overloaded'));
  if (deed === 'garble') seed.say({ no: 'event' });
  if (deed === 'failList') seed.faults.list.push(statusError(value % 2 ? 503 : 410, 'not now', 2_000));
  if (deed === 'failWatch')
    seed.faults.watch.push(value % 2 ? statusError(410, 'gone') : new KubeError('timeout', 'slow'));
  if (deed === 'hangWatch') seed.faults.watch.push(new KubeError('unreachable', 'reset'));
  if (deed === 'deafen') seed.deaf = true;
  // After a silence over a connection that looked alive, the client learns that it broke.
  if (deed === 'hear' && seed.deaf) {
    seed.deaf = false;
    seed.cut();
  }
  if (deed === 'settle') await settled();
  if (deed === 'wait') await clock.advanceBy(value / 50);
  if (deed === 'waitLong') await clock.advanceBy(value);
  if (deed === 'bookmark' && !seed.deaf) seed.bookmark();
  if (deed === 'slow') seed.latency = 700;
  if (deed === 'fast') seed.latency = 0;
}

test('6.6 after any history of changes and faults, calm makes the store equal to the seed, live, and truly reported', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyDeed, { maxLength: 60 }), async (history) => {
      const world = worldOf();
      const open = world.open();
      for (const deed of history) await act(world, deed);
      if (world.seed.deaf) await act(world, { deed: 'hear', namespace: '', value: 0 });
      world.seed.faults.list.length = 0;
      world.seed.faults.watch.length = 0;
      await world.clock.advanceBy(120_000);

      const there = Object.fromEntries(
        world.seed.objects(path).map((object) => [object.metadata.namespace, object['size']]),
      );
      expect(kept(world)).toEqual(there);
      expect(followed(world.items)).toEqual({ objects: there, live: true });
      open.unsubscribe();
      await settled();
      expect(world.clock.sleeping).toBe(0);
    }),
    { numRuns: 150 },
  );
});

/** What a subscriber knows from the items alone. */
function followed(items: readonly StreamItem<unknown>[]) {
  const objects: Record<string, unknown> = {};
  let live = false;
  for (const item of items) {
    if (item.type === 'listed') {
      for (const { object } of item.applied) objects[object.namespace] = object.value;
      for (const { namespace } of item.deleted) delete objects[namespace];
    }
    if (item.type === 'applied') objects[item.object.namespace] = item.object.value;
    if (item.type === 'deleted') delete objects[item.namespace];
    if (item.type === 'live') live = true;
    if (item.type === 'out') live = false;
  }
  return { objects, live };
}

/** What a list shows after a history that went on from a backup by itself; `known` is what was shown before. */
const otherHistories: [string, (world: World) => unknown, (world: World) => unknown, boolean][] = [
  [
    'shows an object older than it is known',
    ({ seed }) => seed.put(path, 'a', 'kcm', { size: 2 }),
    () => undefined,
    true,
  ],
  ['shows one that was deleted since', ({ seed }) => seed.remove(path, 'a', 'kcm'), () => undefined, true],
  [
    'shows a version that was never told, of a time of which all was told',
    ({ seed }) => [1, 2, 3, 4].map((size) => seed.put(path, 'b', 'kcm', { size })),
    ({ seed }) => seed.put(path, 'a', 'kcm', { size: 2 }),
    true,
  ],
  [
    'shows something else in a version that is known',
    ({ seed }) => [2, 3].map((size) => seed.put(path, 'a', 'kcm', { size })),
    ({ seed }) => seed.put(path, 'a', 'kcm', { size: 4 }),
    true,
  ],
  ['shows only what is newer', () => undefined, ({ seed }) => seed.put(path, 'a', 'kcm', { size: 2 }), false],
  ['lacks one', () => undefined, ({ seed }) => seed.remove(path, 'a', 'kcm'), false],
];

test.each(otherHistories)(
  '6.6 a list that %s is of another history, or is not',
  async (_name, before, after, rewound) => {
    const world = worldOf();
    world.seed.put(path, 'a', 'kcm', { size: 1 });
    world.seed.put(path, 'b', 'kcm', { size: 1 });
    world.open();
    await world.clock.advanceBy(20_000);
    const restore = world.seed.backup();
    before(world);
    await settled();
    // No watch shows what is written between; the counter overtakes what was seen only after that.
    restore(0, false);
    world.seed.cut();
    const seen = world.seed.revision;
    world.seed.wind(3);
    if (rewound) after(world);
    world.seed.wind(Math.max(seen, world.seed.revision) + 100);
    if (!rewound) after(world);
    world.seed.compact();
    await world.clock.advanceBy(60_000);
    const lists = world.items.filter((item) => item.type === 'listed');
    expect(lists.map((item) => item.rewound)).toEqual([false, rewound]);
  },
);

test('6.6 a list that is older as a whole is of another history, though nothing is in it', async () => {
  const world = worldOf();
  world.seed.put('/elsewhere', '', 'x');
  world.seed.put('/elsewhere', '', 'x');
  world.open();
  await world.clock.advanceBy(20_000);
  world.seed.rewind(1);
  await world.clock.advanceBy(20_000);
  expect(world.items.flatMap((item) => (item.type === 'listed' ? [item.rewound] : []))).toEqual([false, true]);
});

test.each(['a list', 'the watch'])(
  '6.6 one that %s showed and that was not kept, since there were too many, proves nothing when there is room for it',
  async (what) => {
    const world = worldOf(1);
    world.seed.put(path, 'a', 'kcm', { size: 1 });
    if (what === 'a list') world.seed.put(path, 'b', 'kcm', { size: 1 });
    world.seed.put('/elsewhere', '', 'x');
    world.open();
    await world.clock.advanceBy(20_000);
    if (what === 'the watch') world.seed.put(path, 'b', 'kcm', { size: 1 });
    await settled();
    world.seed.deaf = true;
    world.seed.remove(path, 'a', 'kcm');
    world.seed.deaf = false;
    for (let times = 0; times < 2; times++) {
      world.seed.put('/elsewhere', '', 'x');
      world.seed.compact();
      world.seed.cut();
      await world.clock.advanceBy(60_000);
    }
    expect(world.items.flatMap((item) => (item.type === 'listed' ? [item.rewound] : []))).toEqual([
      false,
      false,
      false,
    ]);
  },
);

test.each(['a bookmark', 'an object'])(
  '6.6 %s of a version before that which the watch began with shows a seed that went back: it is listed at once, and believed',
  async (what) => {
    const world = worldOf();
    world.seed.put(path, 'a', 'kcm', { size: 1 });
    const restore = world.seed.backup();
    for (let size = 2; size < 9; size++) world.seed.put(path, 'a', 'kcm', { size });
    world.open();
    await world.clock.advanceBy(20_000);
    const seen = world.seed.revision;
    // Nothing breaks the watch, and it goes on, like one that is opened from a version which is still to come.
    world.seed.deaf = true;
    world.seed.faults.look.push(null);
    restore(0, false);
    world.seed.wind(3);
    await world.clock.advanceBy(1_000);
    const object = { metadata: { namespace: 'b', name: 'kcm', resourceVersion: '3' }, size: 7 };
    if (what === 'a bookmark') world.seed.bookmark();
    else world.seed.say({ type: 'ADDED', object });
    await world.clock.advanceBy(1_000);
    expect(kept(world)).toEqual({ a: 1 });
    expect(seen).toBeGreaterThan(3);
    expect(world.items.flatMap((item) => (item.type === 'listed' ? [item.rewound] : []))).toEqual([false, true]);
  },
);
