import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { mayHaveFailed, readEndpoints, readSlice } from '../../src/domain/weeder/service-slices.ts';
import type { StreamNotice } from '../../src/adapters/reflector/stream-item.ts';
import { serviceWatch } from '../../src/adapters/weeder-seed/service-watch.ts';
import type { ServiceKey } from '../../src/domain/weeder/service-ref.ts';
import type { ServiceEvent } from '../../src/machines/weeder-language.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { ScriptedSeed, statusError } from './seed-watch-scripted.ts';

const slicesPath = '/apis/discovery.k8s.io/v1/endpointslices';
const endpointsPath = '/api/v1/endpoints';
const key = 'shoot--a/kube-apiserver';
const hour = 3_600_000;
const forbidden = statusError(403, 'endpointslices.discovery.k8s.io is forbidden');

/** A seed whose one service is told by both kinds, as its controllers do, and a watch that nobody follows yet. */
function worldOf(refused: readonly string[] = [slicesPath], refusal = forbidden) {
  const clock = new VirtualClock(1_000);
  const seed = new ScriptedSeed(clock);
  for (const path of refused) seed.refusals.set(path, refusal);
  const notices: StreamNotice[] = [];
  const services = ['etcd-main-client', 'kube-apiserver'].map((name) => ({ name, podSelectors: ['role'] }));
  const parts = { client: seed, clock, chance: () => 0.5, notice: (one: StreamNotice) => void notices.push(one) };
  const world = { clock, seed, notices, watch: serviceWatch({ ...parts, config: { services } }) };
  tell(world, [true, false]);
  return world;
}

type World = ReturnType<typeof worldOf>;

/** Both kinds say so. */
function tell({ seed }: Pick<World, 'seed'>, ready: readonly boolean[], service = 'kube-apiserver'): void {
  const labels = { 'kubernetes.io/service-name': service };
  const at = ready.map((is, index) => ({ is, ip: `10.0.0.${index}`, targetRef: { uid: `pod-${index}` } }));
  const endpoints = at.map(({ is, ip, targetRef }) => ({ addresses: [ip], conditions: { ready: is }, targetRef }));
  const addresses = (ofReady: boolean) =>
    at.filter(({ is }) => is === ofReady).map(({ ip, targetRef }) => ({ ip, targetRef }));
  const subsets = [{ addresses: addresses(true), notReadyAddresses: addresses(false) }];
  seed.put(slicesPath, 'shoot--a', `${service}-x7`, { metadata: { labels }, endpoints });
  seed.put(endpointsPath, 'shoot--a', service, { subsets });
}

async function following({ watch }: World, service: ServiceKey = key) {
  const sets: ServiceKey[][] = [];
  const events: ServiceEvent[] = [];
  const subscription = watch.services$.subscribe((set) => sets.push([...set]));
  subscription.add(watch.events$(service).subscribe((event) => events.push(event)));
  onTestFinished(() => subscription.unsubscribe());
  await settled();
  return { sets, events, subscription };
}

const said = ({ notices }: World) =>
  notices.flatMap((one) => (one.kind === 'replaced' ? [`${one.by} for ${one.stream}: ${one.problem}`] : []));
/** What was asked for since the last call, and how often. */
function asked({ seed }: World): Readonly<Record<string, number>> {
  const all = seed.asked.splice(0).map(({ verb, path }) => `${verb} ${path.split('/').at(-1)}`);
  return Object.fromEntries([...Map.groupBy(all, (one) => one)].map(([one, times]) => [one, times.length]));
}
const gapOf = (event: ServiceEvent | undefined) => (event?.type === 'slices.changed' ? event.gap : undefined);
const totals = (events: readonly ServiceEvent[]) =>
  events.map((event) => {
    if (event.type === 'service.gone') return 'gone';
    const [name] = Object.keys(event.slices);
    const [view] = Object.values(event.slices);
    return `${name} ${view?.ready}/${view?.endpoints}`;
  });

for (const refusal of [forbidden, statusError(404, 'the server could not find the requested resource')])
  test(`7.6 where EndpointSlices are answered ${refusal.status}, Endpoints of the configured services are followed, said once`, async () => {
    const world = worldOf([slicesPath], refusal);
    world.seed.put(endpointsPath, 'shoot--a', 'another', { subsets: [{ addresses: [{ ip: '10.0.0.9' }] }] });
    const { sets, events, subscription } = await following(world);
    expect(sets).toEqual([[key]]);
    const queries = world.seed.asked.filter(({ path }) => path === endpointsPath).map(({ query }) => query);
    expect(new Set(queries.map(({ fieldSelector }) => fieldSelector))).toEqual(
      new Set(['metadata.name=etcd-main-client', 'metadata.name=kube-apiserver']),
    );
    const live: boolean[] = [];
    subscription.add(world.watch.live$.subscribe((is) => live.push(is)));
    expect(live).toEqual([true]);
    tell(world, [false, false]);
    await settled();
    world.seed.remove(endpointsPath, 'shoot--a', 'kube-apiserver');
    await settled();
    expect(totals(events)).toEqual(['kube-apiserver 1/2', 'kube-apiserver 0/2', 'gone']);
    expect(sets).toEqual([[key], []]);
    await world.clock.advanceBy(10 * 60_000);
    expect(said(world)).toEqual([`endpoints for endpointslices: ${refusal.message}`]);
    expect(world.seed.openWatches).toBe(2);
    subscription.unsubscribe();
  });

test('7.6 no failure but a refusal is a reason to watch Endpoints', async () => {
  const world = worldOf([slicesPath], statusError(500, 'not now'));
  const { sets } = await following(world);
  await world.clock.advanceBy(2 * hour);
  expect(asked(world)).not.toHaveProperty('list endpoints');
  world.seed.refusals.clear();
  await world.clock.advanceBy(60_000);
  expect(sets).toEqual([[key]]);
  expect(said(world)).toEqual([]);
});

test('7.6 EndpointSlices are asked for once an hour, and nothing is said while they stay refused', async () => {
  const world = worldOf();
  await following(world);
  asked(world);
  const told = world.notices.length;
  await world.clock.advanceBy(hour - 60_000);
  expect(asked(world)).not.toHaveProperty('look endpointslices');
  await world.clock.advanceBy(3 * hour);
  const { 'look endpointslices': slices, ...others } = asked(world);
  expect([slices, Object.keys(others)]).toEqual([3, ['watch endpoints']]);
  expect(new Set(world.notices.slice(told).map(({ kind }) => kind))).toEqual(new Set(['renewed']));
});

test('7.6 once EndpointSlices are granted they are followed, said once; no service is missed meanwhile, and none gets a needless window', async () => {
  const world = worldOf();
  const { sets, events } = await following(world);
  await world.clock.advanceBy(hour - 120_000);
  world.seed.refusals.clear();
  await world.clock.advanceBy(180_000);
  expect(said(world).slice(1)).toEqual(['endpointslices for endpoints: the seed grants them now']);
  expect(totals(events)).toEqual(['kube-apiserver 1/2', 'kube-apiserver-x7 1/2']);
  const [before, after] = events;
  if (before?.type !== 'slices.changed' || after?.type !== 'slices.changed') throw new Error('it is there');
  expect(mayHaveFailed(before.slices, after.slices, after.gap, after.at)).toBe(false);
  expect(world.seed.openWatches).toBe(1);
  expect(sets).toEqual([[key]]);
  tell(world, [false]);
  await settled();
  expect(totals(events).slice(2)).toEqual(['kube-apiserver-x7 0/1']);
  asked(world);
  await world.clock.advanceBy(3 * hour);
  expect(asked(world)).toEqual({ 'watch endpointslices': expect.any(Number) });
});

test('7.6 a list of EndpointSlices that is refused after all changes nothing, and is tried again an hour later', async () => {
  const world = worldOf();
  const { events } = await following(world);
  await world.clock.advanceBy(hour - 10_000);
  world.seed.refusals.clear();
  // The one that asks is let through, and the list that follows is not.
  world.seed.refuse = (query) => (query['limit'] === '100' && query['labelSelector'] ? forbidden : undefined);
  await world.clock.advanceBy(60_000);
  expect(world.seed.openWatches).toBe(2);
  asked(world);
  await world.clock.advanceBy(hour - 120_000);
  expect(Object.keys(asked(world))).toEqual(['watch endpoints']);
  world.seed.refuse = () => undefined;
  await world.clock.advanceBy(180_000);
  expect(said(world)).toHaveLength(2);
  expect(totals(events)).toEqual(['kube-apiserver 1/2', 'kube-apiserver-x7 1/2']);
});

test('7.6 where both are refused both are asked for, and the first that is granted is followed', async () => {
  for (const granted of [slicesPath, endpointsPath]) {
    const world = worldOf([slicesPath, endpointsPath]);
    const { sets } = await following(world);
    await world.clock.advanceBy(5 * 60_000);
    const before = asked(world);
    expect(before['list endpointslices']).toBeGreaterThan(8);
    expect(before['list endpoints']).toBeGreaterThan(16);
    expect(sets).toEqual([]);
    world.seed.refusals.delete(granted);
    await world.clock.advanceBy(60_000);
    expect(sets).toEqual([[key]]);
    expect(world.seed.openWatches).toBe(granted === slicesPath ? 1 : 2);
    expect(said(world)).toHaveLength(granted === slicesPath ? 0 : 1);
    asked(world);
    await world.clock.advanceBy(60_000);
    expect(Object.keys(asked(world)).filter((one) => one.startsWith('list'))).toEqual([]);
  }
});

test('7.6 a role that lets EndpointSlices be listed and not watched is as good as none: Endpoints are followed, and the next try comes an hour later', async () => {
  const world = worldOf([]);
  world.seed.refuse = (query) => (query['watch'] && query['labelSelector'] ? forbidden : undefined);
  const { events } = await following(world);
  await world.clock.advanceBy(60_000);
  tell(world, [false]);
  await settled();
  expect(totals(events)).toEqual(['kube-apiserver-x7 1/2', 'kube-apiserver 1/2', 'kube-apiserver 0/1']);
  expect(world.seed.openWatches).toBe(2);
  asked(world);
  await world.clock.advanceBy(hour + 30_000);
  expect(asked(world)).toMatchObject({ 'look endpointslices': 1, 'list endpointslices': 1 });
  tell(world, [true]);
  await settled();
  expect(totals(events).at(-1)).toBe('kube-apiserver 1/1');
});

test('7.6 a role that changes under a weeder that runs is noticed when the watch is refused, and what happened since the last line is a gap', async () => {
  const world = worldOf([]);
  const { events, sets } = await following(world);
  await world.clock.advanceBy(20_000);
  tell(world, [true, true]);
  await settled();
  const since = world.clock.now();
  await world.clock.advanceBy(30_000);
  world.seed.refusals.set(slicesPath, forbidden);
  world.seed.cut(slicesPath);
  await world.clock.advanceBy(1_000);
  expect(totals(events)).toEqual(['kube-apiserver-x7 1/2', 'kube-apiserver-x7 2/2', 'kube-apiserver 2/2']);
  expect(gapOf(events.at(-1))).toEqual({ since });

  world.seed.refusals.clear();
  world.seed.refusals.set(endpointsPath, forbidden);
  world.seed.cut(endpointsPath);
  await world.clock.advanceBy(30_000);
  expect(totals(events).slice(3)).toEqual(['kube-apiserver-x7 2/2']);
  expect(sets).toEqual([[key]]);
  expect(said(world)).toHaveLength(2);
  expect(world.seed.openWatches).toBe(1);
});

test('7.6 a watch that is refused for a moment goes on where it was', async () => {
  const world = worldOf([]);
  const { events } = await following(world);
  await world.clock.advanceBy(20_000);
  for (const path of [slicesPath, endpointsPath]) world.seed.refusals.set(path, forbidden);
  world.seed.cut();
  await world.clock.advanceBy(500);
  world.seed.refusals.delete(slicesPath);
  await world.clock.advanceBy(30_000);
  expect(world.seed.openWatches).toBe(1);
  asked(world);
  await world.clock.advanceBy(60_000);
  expect(asked(world)).not.toHaveProperty('list endpoints');
  expect(totals(events)).toEqual(['kube-apiserver-x7 1/2']);
  expect(said(world)).toEqual([]);
});

test('7.2 7.6 a list of Endpoints that follows upon a broken watch tells since when nothing was seen', async () => {
  const world = worldOf();
  tell(world, [true], 'etcd-main-client');
  const { events } = await following(world);
  const other = await following(world, 'shoot--a/etcd-main-client');
  await world.clock.advanceBy(20_000);
  world.seed.bookmark();
  await settled();
  const since = world.clock.now();
  world.seed.refusals.set(endpointsPath, statusError(500, 'not now'));
  world.seed.cut();
  tell(world, [false, false]);
  tell(world, [true, false]);
  await world.clock.advanceBy(15_000);
  world.seed.compact();
  world.seed.refusals.delete(endpointsPath);
  await world.clock.advanceBy(60_000);
  expect(totals(events)).toEqual(['kube-apiserver 1/2', 'kube-apiserver 1/2']);
  expect(gapOf(events[1])).toEqual({ since });
  expect(other.events).toHaveLength(1);
});

test('1.4 7.6 the last follower that leaves closes every watch, and nothing is asked any more', async () => {
  const world = worldOf();
  const { subscription } = await following(world);
  subscription.unsubscribe();
  await settled();
  expect(world.seed.openWatches).toBe(0);
  asked(world);
  await world.clock.advanceBy(2 * hour);
  expect(asked(world)).toEqual({});
  const again = await following(world);
  expect(asked(world)).toHaveProperty('list endpointslices');
  expect(again.sets).toEqual([[key]]);
});

type Step =
  | Readonly<{ do: 'grant'; slices: boolean; endpoints: boolean }>
  | Readonly<{ do: 'tell'; service: number; ready: boolean[] }>
  | Readonly<{ do: 'remove'; service: number }>
  | Readonly<{ do: 'cut' | 'compact' }>
  | Readonly<{ do: 'wait'; for: number }>;

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('grant'), slices: fc.boolean(), endpoints: fc.boolean() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('tell'),
        service: fc.nat(1),
        ready: fc.array(fc.boolean(), { maxLength: 2 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove'), service: fc.nat(1) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cut', 'compact') }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait'), for: fc.constantFrom(400, 5_000, 60_000, hour) }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 20 },
);
const names = ['kube-apiserver', 'etcd-main-client'];

test('7.6 whatever is granted and taken away meanwhile, in the end each service is known as it is, by the kind that is granted, over its watches alone', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (history, endsWithSlices) => {
      const world = worldOf([]);
      const { seed, clock } = world;
      const followed = await Promise.all(names.map((name) => following(world, `shoot--a/${name}`)));
      /** From the next request on; a watch that is open goes on. */
      const grant = (slices: boolean, endpoints: boolean): void => {
        seed.refusals.clear();
        if (!slices) seed.refusals.set(slicesPath, forbidden);
        if (!endpoints) seed.refusals.set(endpointsPath, forbidden);
      };
      for (const step of history) {
        if (step.do === 'grant') grant(step.slices, step.endpoints);
        if (step.do === 'tell') tell(world, step.ready, names[step.service]);
        if (step.do === 'remove') {
          seed.remove(slicesPath, 'shoot--a', `${names[step.service]}-x7`);
          seed.remove(endpointsPath, 'shoot--a', names[step.service] ?? '');
        }
        if (step.do === 'cut') seed.cut();
        if (step.do === 'compact') seed.compact();
        if (step.do === 'wait') await clock.advanceBy(step.for);
      }
      grant(endsWithSlices, !endsWithSlices);
      seed.cut();
      await clock.advanceBy(2 * hour);
      for (const [index, { events, sets }] of followed.entries()) {
        const service = names[index] ?? '';
        const known = endsWithSlices
          ? seed.objects(slicesPath).find(({ metadata }) => metadata.name === `${service}-x7`)
          : seed.objects(endpointsPath).find(({ metadata }) => metadata.name === service);
        expect(sets.at(-1)?.includes(`shoot--a/${service}`)).toBe(known !== undefined);
        const reading = endsWithSlices ? readSlice(known) : readEndpoints(known);
        const last = events.at(-1);
        const told = last?.type === 'slices.changed' ? Object.values(last.slices) : [];
        expect(told).toEqual(reading === undefined ? [] : [reading.view]);
      }
      expect(seed.openWatches).toBe(endsWithSlices ? 1 : 2);
      for (const { subscription } of followed) subscription.unsubscribe();
      await settled();
      expect(seed.openWatches).toBe(0);
    }),
    { numRuns: 200 },
  );
});
