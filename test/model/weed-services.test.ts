import { NEVER, concat, of, take, throwError } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { ServiceKey } from '../../src/domain/weeder/service-ref.ts';
import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import { weedServices, type Weeding } from '../../src/effects/weed-services.ts';
import type { WeederTurn } from '../../src/effects/turn.ts';
import type { ServiceEvent } from '../../src/machines/weeder-language.ts';
import { ScriptedServices } from '@dwd/testing/weeder-stage.ts';
import { VirtualClock, settled } from '@dwd/testing/virtual-clock.ts';

const [etcd, api, other]: readonly [ServiceKey, ServiceKey, ServiceKey] = [
  'shoot--test--one/etcd-main-client',
  'shoot--test--one/kube-apiserver',
  'shoot--test--two/kube-apiserver',
];

const watchDuration = 300_000;
const config: WeederConfig = {
  watchDuration,
  services: [
    { name: 'etcd-main-client', podSelectors: ['role=apiserver'] },
    { name: 'kube-apiserver', podSelectors: ['role=main', 'role=other'] },
  ],
};

/** Slices that no machine of ours can take: they are no slices. */
const poison = (at = 0): ServiceEvent => ({ type: 'slices.changed', at, slices: undefined }) as unknown as ServiceEvent;

/** The real runtime over a scripted seed; `instead` replaces some of its ports. */
function weed(instead: (seed: ScriptedServices) => Partial<Weeding> = () => ({}), hear: () => void = () => undefined) {
  const clock = new VirtualClock(1_000_000);
  const seed = new ScriptedServices(clock);
  const turns: WeederTurn[] = [];
  const ports = { clock, chance: () => 0.5, config, services: seed, pods: seed, remover: seed };
  // A machine that goes round in a circle comes to an end, so that its test fails.
  const all = weedServices({ ...ports, ...instead(seed) }).pipe(take(10_000));
  const running = all.subscribe({
    next: (turn) => {
      turns.push(turn);
      hear();
    },
    error: (error: unknown) => {
      throw error;
    },
  });
  const told = (service: ServiceKey) => turns.filter((turn) => turn.subject === service);
  const endings = (service: ServiceKey) => told(service).filter(({ event }) => event.type === 'ended');
  return { clock, seed, turns, running, told, endings };
}

describe('7.2 one machine for each service', () => {
  test('7.2 from its arrival, in its namespace, with the selectors of its name', async () => {
    const { seed, told } = weed();
    seed.up(etcd);
    seed.down(api);
    seed.up(other);
    await settled();
    expect([etcd, api, other].map((service) => told(service).at(-1)?.to)).toEqual(['recovering', 'down', 'recovering']);
    expect(told(other)[0]?.event).toMatchObject({
      type: 'started',
      input: { namespace: 'shoot--test--two', service: 'kube-apiserver', watchDuration, chance: 2 ** 31 },
    });
    expect(seed.watched).toEqual([`${etcd} role=apiserver`, `${other} role=main role=other`]);
  });

  test('7.2 7.3 each deletes its own dependants, in its own namespace and window', async () => {
    const { clock, seed, told } = weed();
    for (const service of [etcd, api, other]) seed.up(service);
    await clock.advanceBy(200_000);
    seed.down(etcd);
    seed.up(etcd);
    seed.pod(api, 'a');
    seed.pod(other, 'b');
    await clock.advanceBy(150_000);
    seed.pod(etcd, 'c');
    seed.pod(api, 'd');
    await clock.advanceBy(watchDuration);
    expect(seed.deletions.map(({ namespace, pod }) => `${namespace} ${pod.name}`)).toEqual([
      'shoot--test--one a',
      'shoot--test--two b',
      'shoot--test--one c',
    ]);
    expect([etcd, api, other].map((service) => told(service).at(-1)?.to)).toEqual(['settled', 'settled', 'settled']);
    expect([seed.watching.size, clock.sleeping]).toEqual([0, 0]);
  });

  test('7.2 a whole window: watched, woken for what failed, left at its end', async () => {
    const { clock, seed, told } = weed();
    seed.atOnce = { outcome: 'failed', reason: '500', detail: 'no' };
    seed.up(api);
    seed.pod(api, 'a');
    await clock.advanceBy(10_000);
    const tries = seed.deletions.length;
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(6);
    seed.atOnce = { outcome: 'deleted' };
    await clock.advanceBy(watchDuration);
    expect(seed.deletions).toHaveLength(tries + 1);
    expect(told(api).at(-1)).toMatchObject({ at: 1_000_000 + watchDuration, event: { type: 'woken' }, to: 'settled' });
    expect(told(api).at(-1)?.notes).toEqual([{ kind: 'windowClosed', deleted: 1, left: 0 }]);
  });

  test('S8 7.2 at the end of the window what waits to be sent is taken back, and what then is answered changes nothing', async () => {
    const { clock, seed, told } = weed();
    seed.atOnce = undefined;
    seed.up(api);
    seed.pod(api, 'a');
    await clock.advanceBy(watchDuration - 1);
    expect(seed.deletions.map(({ withdrawn }) => withdrawn.aborted)).toEqual([false]);
    await clock.advanceBy(1);
    expect(seed.deletions.map(({ withdrawn }) => withdrawn.aborted)).toEqual([true]);
    await clock.advanceBy(watchDuration);
    expect(told(api).at(-1)).toMatchObject({ event: { type: 'deletion.answered' }, to: 'settled', commands: [] });
    expect(seed.deletions).toHaveLength(1);
  });

  test('7.2 a process that may not write does not get turn after turn in one instant', async () => {
    const { clock, seed, turns } = weed();
    seed.atOnce = { outcome: 'withdrawn' };
    seed.up(api);
    seed.pod(api, 'a');
    await clock.advanceBy(60_000);
    expect(seed.deletions.length).toBeLessThanOrEqual(120);
    expect(seed.deletions.length).toBeGreaterThan(50);
    expect(turns.length).toBeLessThan(400);
  });
});

describe('3.4 a bug costs only the service that it happens to', () => {
  test('3.4 its machine ends with the event that it met, lets go of all, and is started afresh with a window of its own', async () => {
    const { clock, seed, told, endings } = weed();
    seed.atOnce = undefined;
    for (const service of [etcd, api, other]) seed.up(service);
    seed.pod(api, 'a');
    await clock.advanceBy(100_000);
    const at = clock.now();
    seed.slip(api, poison(at));
    expect(endings(api)).toMatchObject([
      { at, from: 'recovering', to: 'recovering', event: { because: 'bug', during: poison(at) } },
    ]);
    expect(seed.deletions[0]?.withdrawn.aborted).toBe(true);
    expect(seed.watching).toEqual(new Set([etcd, other]));
    const before = told(api).length;
    await clock.advanceBy(999);
    expect(told(api)).toHaveLength(before);
    await clock.advanceBy(1);
    expect(told(api).slice(before)).toMatchObject([
      { at: at + 1_000, event: { type: 'started' }, from: undefined, to: 'down' },
      { at: at + 1_000, event: { type: 'slices.changed' }, to: 'recovering' },
    ]);
    expect(seed.watching).toEqual(new Set([etcd, api, other]));
    seed.pod(api, 'a');
    expect(seed.deletions).toHaveLength(2);
  });

  test('3.4 a machine that fails for hours is started again and again, and its turns do not take longer each time', async () => {
    const depths: number[] = [];
    const { clock, seed, endings } = weed(
      (inner) => ({ services: { services$: inner.services$, events$: () => concat(of(poison()), NEVER) } }),
      () => depths.push(stackDepth()),
    );
    seed.up(api);
    await clock.advanceBy(3 * 3_600_000);
    expect(endings(api).length).toBeGreaterThan(180);
    // A frame for each of the 30 starts between would be a stack that grows; one more or less is what an optimized `await` shows.
    expect(depths.at(-1)).toBeLessThan(depths.at(-31)! + 30);
  });

  const breaks: Record<string, (seed: ScriptedServices) => Partial<Weeding>> = {
    'a watch, thrown at once': (seed) => ({
      pods: {
        listAgain: seed.listAgain,
        pods$: (ref, selectors) => (ref.service === 'kube-apiserver' ? broken() : seed.pods$(ref, selectors)),
      },
    }),
    'a watch that fails': (seed) => ({
      pods: {
        listAgain: seed.listAgain,
        pods$: (ref, selectors) =>
          ref.service === 'kube-apiserver' ? throwError(() => new Error('broken port')) : seed.pods$(ref, selectors),
      },
    }),
    'a deletion, thrown at once': (seed) => ({
      remover: { remove: (...args) => (args[1].name === 'bad' ? broken() : seed.remove(...args)) },
    }),
    'a deletion, rejected': (seed) => ({
      remover: {
        remove: (...args) => (args[1].name === 'bad' ? Promise.reject(new Error('broken port')) : seed.remove(...args)),
      },
    }),
  };
  test.each(Object.keys(breaks))('3.4 a port that breaks its promise is a bug too: %s', async (port) => {
    const { clock, seed, endings, told, turns } = weed(breaks[port]);
    seed.up(api);
    seed.up(etcd);
    seed.pod(api, 'bad');
    seed.pod(etcd, 'good');
    await clock.advanceBy(10_000);
    expect(endings(api)[0]?.event).toMatchObject({
      because: 'bug',
      error: expect.stringContaining('broken port'),
      during: { type: port.startsWith('a watch') ? 'slices.changed' : 'pod.changed' },
    });
    expect(told(api).filter(({ event }) => event.type === 'started').length).toBeGreaterThan(1);
    expect([endings(etcd), told(etcd).at(-1)?.to]).toEqual([[], 'recovering']);
    expect(seed.deletions.map(({ pod }) => pod.name)).toEqual(['good']);
    expectNumbered(turns);
  });
});

describe('9.1 turns', () => {
  test('9.1 a service that goes is gone, then ended, and nothing of it is left; one that comes back begins anew', async () => {
    const { clock, seed, told } = weed();
    seed.atOnce = undefined;
    seed.up(api);
    seed.pod(api, 'a');
    seed.gone(api);
    const turns = told(api).length;
    expect(told(api).slice(-2)).toMatchObject([
      { event: { type: 'service.gone' }, to: 'down', notes: [{ kind: 'windowClosed', deleted: 0, left: 1 }] },
      { event: { type: 'ended', because: 'gone' }, from: 'down', to: 'down', commands: [], notes: [] },
    ]);
    expect([seed.watching.size, clock.sleeping, seed.deletions[0]?.withdrawn.aborted]).toEqual([0, 0, true]);
    await clock.advanceBy(watchDuration);
    expect(told(api)).toHaveLength(turns);
    seed.up(api);
    expect(told(api)[turns]).toMatchObject({ event: { type: 'started' }, from: undefined });
    expect(told(api).at(-1)?.to).toBe('recovering');
  });

  test('1.4 unsubscribing from the turns ends everything: what waits is withdrawn, no watch and no timer is left', async () => {
    const { clock, seed, running, turns } = weed();
    seed.atOnce = undefined;
    for (const service of [etcd, api, other]) {
      seed.up(service);
      seed.pod(service, 'a');
    }
    await clock.advanceBy(10_000);
    expect([seed.watching.size, clock.sleeping]).toEqual([3, 3]);
    running.unsubscribe();
    const count = turns.length;
    expect([seed.watching.size, clock.sleeping]).toEqual([0, 0]);
    expect(seed.deletions.map(({ withdrawn }) => withdrawn.aborted)).toEqual([true, true, true]);
    await clock.advanceBy(watchDuration);
    expect(turns).toHaveLength(count);
  });
});

function stackDepth(): number {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Infinity;
  const depth = new Error('how deep').stack?.split('\n').length ?? 0;
  Error.stackTraceLimit = stackTraceLimit;
  return depth;
}

function broken(): never {
  throw new Error('broken port');
}

function expectNumbered(turns: readonly WeederTurn[]): void {
  expect(turns.map(({ seq }) => seq)).toEqual(turns.map((_, index) => index + 1));
}
