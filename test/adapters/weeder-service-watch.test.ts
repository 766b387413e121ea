import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import { serviceWatch, type SharedServiceWatch } from '../../src/adapters/weeder-seed/service-watch.ts';
import type { Slices } from '../../src/domain/weeder/service-slices.ts';
import type { ServiceKey } from '../../src/domain/weeder/service-ref.ts';
import type { ServiceEvent } from '../../src/machines/weeder-language.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { ScriptedSeed, statusError } from './seed-watch-scripted.ts';

const path = '/apis/discovery.k8s.io/v1/endpointslices';

function worldOf() {
  const clock = new VirtualClock(1_000);
  const seed = new ScriptedSeed(clock);
  const notices: StreamNotice[] = [];
  const services = ['etcd-main-client', 'kube-apiserver'].map((name) => ({ name, podSelectors: ['role'] }));
  const watch = serviceWatch({
    client: seed,
    clock,
    chance: () => 0.5,
    config: { services },
    notice: (notice) => notices.push(notice),
  });
  return { clock, seed, watch, notices };
}

type World = ReturnType<typeof worldOf>;

/** `ready` says for each endpoint whether it is ready. */
function put({ seed }: World, namespace: string, name: string, service: string, ready: readonly boolean[]): void {
  const labels = { 'kubernetes.io/service-name': service, 'endpointslice.kubernetes.io/managed-by': 'x' };
  const endpoints = ready.map((is) => ({ addresses: ['10.0.0.1'], conditions: { ready: is } }));
  seed.put(path, namespace, name, { metadata: { labels }, addressType: 'IPv4', endpoints });
}

function hearing(watch: SharedServiceWatch) {
  const sets: ServiceKey[][] = [];
  const subscription = watch.services$.subscribe((services) => sets.push([...services]));
  onTestFinished(() => subscription.unsubscribe());
  return { sets, subscription };
}

function following(watch: SharedServiceWatch, service: ServiceKey) {
  const events: ServiceEvent[] = [];
  const subscription = watch.events$(service).subscribe((event) => events.push(event));
  onTestFinished(() => subscription.unsubscribe());
  return { events, subscription };
}

/** `main 1/2, more 0/1`, or `gone`. */
function words(event: ServiceEvent): string {
  if (event.type === 'service.gone') return 'gone';
  const slices = Object.entries(event.slices).toSorted(([one], [other]) => one.localeCompare(other));
  return slices.map(([name, { ready, endpoints }]) => `${name} ${ready}/${endpoints}`).join(', ');
}

/** The watch misses something, and then the history is lost, so that a list has to show it. */
async function behindItsBack({ seed }: World, change: () => void): Promise<void> {
  seed.deaf = true;
  change();
  seed.deaf = false;
  seed.compact();
  seed.cut();
  await settled();
}

const key = 'shoot--a/kube-apiserver';

test('7.1 one watch over all namespaces asks for the slices of the configured services alone, outside the urgent bucket', async () => {
  const world = worldOf();
  hearing(world.watch);
  await settled();
  expect(world.seed.asked.map(({ verb }) => verb)).toEqual(['list', 'watch']);
  for (const { path: asked, query, lane } of world.seed.asked) {
    expect([asked, lane]).toEqual([path, 'normal']);
    expect(query['labelSelector']).toBe('kubernetes.io/service-name in (etcd-main-client,kube-apiserver)');
  }
});

test('7.1 the set of services comes once the first list is in, then with each arrival and departure', async () => {
  const world = worldOf();
  put(world, 'shoot--a', 'x', 'kube-apiserver', [true]);
  put(world, 'shoot--a', 'y', 'etcd-main-client', []);
  put(world, 'shoot--a', 'z', 'another', [true]);
  world.seed.refusals.set(path, statusError(500, 'not yet'));
  const { sets, subscription } = hearing(world.watch);
  const synced: boolean[] = [];
  subscription.add(world.watch.synced$.subscribe((is) => synced.push(is)));
  await settled();
  expect([sets, synced]).toEqual([[], [false]]);
  world.seed.refusals.clear();
  await world.clock.advanceBy(30_000);
  expect(sets).toEqual([[key, 'shoot--a/etcd-main-client']]);
  expect(synced).toEqual([false, true]);

  put(world, 'shoot--b', 'x', 'kube-apiserver', [false]);
  put(world, 'shoot--b', 'x', 'kube-apiserver', [true]);
  world.seed.remove(path, 'shoot--a', 'y');
  await settled();
  expect(sets.slice(1)).toEqual([
    [key, 'shoot--a/etcd-main-client', 'shoot--b/kube-apiserver'],
    [key, 'shoot--b/kube-apiserver'],
  ]);
});

test('7.2 it says whether it follows the seed, and after an outage only when its news is out', async () => {
  const world = worldOf();
  put(world, 'shoot--a', 'x', 'kube-apiserver', [true]);
  const told: (boolean | string)[] = [];
  const subscription = world.watch.live$.subscribe((live) => told.push(live));
  await settled();
  subscription.add(world.watch.events$(key).subscribe((event) => told.push(words(event))));
  expect(told.splice(0)).toEqual([false, true, 'x 1/1']);

  world.seed.deaf = true;
  put(world, 'shoot--a', 'x', 'kube-apiserver', [false]);
  world.seed.deaf = false;
  world.seed.refusals.set(path, statusError(500, 'not yet'));
  world.seed.compact();
  world.seed.cut();
  await world.clock.advanceBy(20_000);
  expect(told.splice(0)).toEqual([false]);
  world.seed.refusals.clear();
  await world.clock.advanceBy(30_000);
  expect(told.splice(0)).toEqual(['x 0/1', true]);
  subscription.unsubscribe();
  world.watch.live$.subscribe((live) => told.push(live)).unsubscribe();
  expect(told).toEqual([false]);
});

test('7.1 a slice that takes another’s place in a list is one change, and no outage', async () => {
  const world = worldOf();
  put(world, 'shoot--a', 'old', 'kube-apiserver', [true]);
  const { sets } = hearing(world.watch);
  const { events } = following(world.watch, key);
  await world.clock.advanceBy(20_000);
  await behindItsBack(world, () => {
    world.seed.remove(path, 'shoot--a', 'old');
    put(world, 'shoot--a', 'new', 'kube-apiserver', [true]);
    put(world, 'shoot--a', 'more', 'kube-apiserver', [false]);
  });
  expect(events.map(words)).toEqual(['old 1/1', 'more 0/1, new 1/1']);
  expect(sets).toHaveLength(1);
});

test('7.1 a service that nobody has configured is none, even where the server sends it', async () => {
  const world = worldOf();
  const { sets } = hearing(world.watch);
  await settled();
  const labels = { 'kubernetes.io/service-name': 'another' };
  const metadata = { namespace: 'shoot--a', name: 'x', resourceVersion: '7', labels };
  world.seed.say({ type: 'ADDED', object: { metadata, endpoints: [{}] } });
  await settled();
  expect(sets).toEqual([[]]);
});

type Step =
  | Readonly<{ do: 'put'; name: number; service: number; ready: boolean[] }>
  | Readonly<{ do: 'remove'; name: number }>
  | Readonly<{ do: 'cut' | 'compact' | 'wait' }>;

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('put'),
        name: fc.nat(3),
        service: fc.nat(2),
        ready: fc.array(fc.boolean(), { maxLength: 2 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove'), name: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cut', 'compact', 'wait') }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 25 },
);
const names = ['kube-apiserver', 'etcd-main-client', 'another'];

test('7.1 whatever happens to slices and watches, in the end each service is known as it is, and nothing was reported twice', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const world = worldOf();
      const { sets } = hearing(world.watch);
      const followed = names.map((name) => following(world.watch, `shoot--a/${name}`));
      for (const step of history) {
        if (step.do === 'put') put(world, 'shoot--a', `s${step.name}`, names[step.service] ?? '', step.ready);
        if (step.do === 'remove') world.seed.remove(path, 'shoot--a', `s${step.name}`);
        if (step.do === 'cut') world.seed.cut();
        if (step.do === 'compact') world.seed.compact();
        if (step.do === 'wait') await world.clock.advanceBy(1_000);
      }
      await world.clock.advanceBy(60_000);

      const present = names.slice(0, 2).filter((name) => expected(world, name) !== 'gone');
      expect([...(sets.at(-1) ?? [])].toSorted()).toEqual(present.map((name) => `shoot--a/${name}`).toSorted());
      for (const [index, { events }] of followed.entries()) {
        const told = events.map(words);
        const isKnown = index < 2;
        expect(told.at(-1) ?? 'gone').toBe(isKnown ? expected(world, names[index] ?? '') : 'gone');
        for (const [at, one] of told.entries()) expect(one).not.toBe(told[at - 1]);
      }
    }),
    { numRuns: 150 },
  );
});

function expected({ seed }: World, service: string): string {
  const slices = seed
    .objects(path)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === service)
    .map(({ metadata, endpoints }) => {
      const all = endpoints as { conditions: { ready: boolean } }[];
      return [metadata.name, { ready: all.filter(({ conditions }) => conditions.ready).length, endpoints: all.length }];
    });
  if (slices.length === 0) return 'gone';
  const known = Object.fromEntries(slices) as Slices;
  return words({ type: 'slices.changed', at: 0, slices: known });
}

const gaps = (events: readonly ServiceEvent[]) =>
  events.map((event) => (event.type === 'slices.changed' ? (event.gap ?? null) : event.type));

test('7.2 after a gap a service of which a slice was written is told again, however it looks, and since when it was not seen; another one is not', async () => {
  const world = worldOf();
  put(world, 'shoot--a', 'x', 'kube-apiserver', [true]);
  put(world, 'shoot--b', 'x', 'kube-apiserver', [true]);
  hearing(world.watch);
  await settled();
  const [written, untouched] = [following(world.watch, key), following(world.watch, 'shoot--b/kube-apiserver')];
  await world.clock.advanceBy(20_000);
  world.seed.bookmark();
  await settled();
  const since = world.clock.now();
  world.seed.refusals.set(path, statusError(500, 'not now'));
  world.seed.cut();
  put(world, 'shoot--a', 'x', 'kube-apiserver', [false]);
  put(world, 'shoot--a', 'x', 'kube-apiserver', [true]);
  await world.clock.advanceBy(15_000);
  world.seed.compact();
  world.seed.refusals.clear();
  await world.clock.advanceBy(60_000);
  expect(written.events.map(words)).toEqual(['x 1/1', 'x 1/1']);
  expect(gaps(written.events)).toEqual([null, { since }]);
  expect(gaps(untouched.events)).toEqual([null]);
});

test('7.2 over a half-open connection nothing was seen since the last line, not only since the cut', async () => {
  const world = worldOf();
  put(world, 'shoot--a', 'x', 'kube-apiserver', [true]);
  hearing(world.watch);
  await settled();
  const { events } = following(world.watch, key);
  await world.clock.advanceBy(10_000);
  put(world, 'shoot--a', 'x', 'kube-apiserver', [true, false]);
  await settled();
  const since = world.clock.now();
  world.seed.deaf = true;
  put(world, 'shoot--a', 'x', 'kube-apiserver', [false]);
  put(world, 'shoot--a', 'x', 'kube-apiserver', [true, false]);
  await world.clock.advanceBy(89_000);
  world.seed.deaf = false;
  // It is found to be out only now.
  world.seed.refusals.set(path, statusError(500, 'not now'));
  await world.clock.advanceBy(5_000);
  world.seed.refusals.clear();
  await world.clock.advanceBy(30_000);
  expect(gaps(events)).toEqual([null, null, { since }]);
});

test('7.2 a watch that goes on where it was cut has missed nothing', async () => {
  const world = worldOf();
  put(world, 'shoot--a', 'x', 'kube-apiserver', [true]);
  hearing(world.watch);
  await settled();
  const { events } = following(world.watch, key);
  await world.clock.advanceBy(30_000);
  world.seed.deaf = true;
  put(world, 'shoot--a', 'x', 'kube-apiserver', [false]);
  put(world, 'shoot--a', 'x', 'kube-apiserver', [true]);
  world.seed.deaf = false;
  world.seed.cut();
  await settled();
  expect(events.map(words)).toEqual(['x 1/1', 'x 0/1', 'x 1/1']);
  expect(gaps(events)).toEqual([null, null, null]);
});

test('7.2 6.6 in a seed that was restored every service is told again: the versions of its slices prove nothing', async () => {
  const world = worldOf();
  put(world, 'shoot--a', 'x', 'kube-apiserver', [true]);
  put(world, 'shoot--b', 'x', 'kube-apiserver', [true]);
  const restore = world.seed.backup();
  hearing(world.watch);
  await settled();
  const followers = ([key, 'shoot--b/kube-apiserver'] as const).map((one) => following(world.watch, one));
  put(world, 'shoot--a', 'x', 'kube-apiserver', [false]);
  await settled();
  restore(1_000);
  await world.clock.advanceBy(10_000);
  expect(followers.map(({ events }) => gaps(events).slice(1))).toMatchObject([
    [null, { rewound: true }],
    [{ rewound: true }],
  ]);
});
