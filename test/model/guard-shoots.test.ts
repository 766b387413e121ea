import * as fc from 'fast-check';
import { NEVER, concat, of, take, throwError, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { guardShoots, type Guarding } from '../../src/effects/guard-shoots.ts';
import type { ShootTurn } from '../../src/effects/turn.ts';
import type { SeedEvent } from '../../src/machines/shoot-language.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { HeldScaler, SimSeed } from '../support/sim-seed.ts';
import { calm } from '@dwd/testing/histories.ts';
import {
  autoscaler,
  controllerManager,
  gardenerConfig,
  machineController,
  widget,
} from '@dwd/testing/prober-configs.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

const [one, two, three] = ['shoot--test--one', 'shoot--test--two', 'shoot--test--three'];
const all = [controllerManager, machineController, autoscaler];

/** A Cluster that no machine of ours can take: it says nothing, not even that it cannot be read. */
const poison = (at: number): SeedEvent => ({ type: 'cluster.changed', at, reading: undefined }) as unknown as SeedEvent;

/** The real runtime over a seed of three shoots; `instead` replaces some of its ports. */
function guard(
  shoots: readonly string[] = [one, two, three],
  instead: (seed: SimSeed) => Partial<Guarding> = () => ({}),
) {
  const clock = new VirtualClock(1_000_000);
  const seed = new SimSeed(clock, gardenerConfig, shoots);
  const turns: ShootTurn[] = [];
  const ports = {
    clock,
    chance: () => 0.5,
    config: gardenerConfig,
    seed,
    shoots: seed,
    machines: seed,
    clusters: seed,
    scaler: seed,
  };
  const running = guardShoots({ ...ports, followed: new Set(), ...instead(seed) }).subscribe({
    next: (turn) => turns.push(turn),
    error: (error: unknown) => {
      throw error;
    },
  });
  const told = (shoot: string) => turns.filter((turn) => turn.subject === shoot);
  const endings = (shoot: string) => told(shoot).filter(({ event }) => event.type === 'ended');
  return { clock, seed, turns, running, told, endings };
}

const plain = (turns: readonly ShootTurn[]) =>
  turns.map(({ at, event, to, commands }) => [at, event.type, to, commands]);

describe('3.4 a bug costs only the shoot that it happens to', () => {
  test('3.4 its machine ends with the event that it met, and is started afresh after a back-off, without an initial delay', async () => {
    const { clock, seed, told, endings } = guard();
    await clock.advanceBy(100_000);
    const at = clock.now();
    seed.slip(two, poison(at));
    expect(endings(two)).toMatchObject([
      {
        at,
        from: 'probing',
        to: 'probing',
        event: { because: 'bug', error: expect.stringMatching(/readable/), during: poison(at) },
      },
    ]);
    const before = told(two).length;
    await clock.advanceBy(999);
    expect(told(two)).toHaveLength(before);
    await clock.advanceBy(1);
    const [started] = told(two).slice(before);
    expect(started).toMatchObject({
      at: at + 1_000,
      event: { type: 'started', input: { followed: true } },
      from: undefined,
      to: 'idle',
    });
    await clock.advanceBy(1_000);
    expect(
      told(two)
        .slice(before)
        .some(({ commands }) => commands.some(({ type }) => type === 'probe')),
    ).toBe(true);
    await clock.advanceBy(60_000);
    expect(told(two).at(-1)?.to).toBe('probing');
  });

  test('3.4 the others do not notice', async () => {
    const undisturbed = guard();
    const disturbed = guard();
    for (let count = 0; count < 6; count++) {
      await undisturbed.clock.advanceBy(50_000);
      await disturbed.clock.advanceBy(50_000);
      disturbed.seed.slip(two, poison(disturbed.clock.now()));
    }
    expect(disturbed.endings(two)).toHaveLength(6);
    for (const shoot of [one, three]) expect(plain(disturbed.told(shoot))).toEqual(plain(undisturbed.told(shoot)));
  });

  test('3.4 the pause doubles from 1 s to 60 s while it goes on, and begins anew once it has run for 10 min', async () => {
    let poisoned = true;
    const { clock, endings, told } = guard([one], (seed) => ({
      seed: {
        shoots$: seed.shoots$,
        events$: (shoot) => (poisoned ? concat(of(poison(0)), NEVER) : seed.events$(shoot)),
      },
    }));
    await clock.advanceBy(400_000);
    const ends = endings(one).map(({ at }) => at);
    const pauses = ends.slice(1).map((at, index) => at - ends[index]!);
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000, 60_000]);
    poisoned = false;
    await clock.advanceBy(60_000 + 599_000);
    expect(told(one).at(-1)?.to).toBe('probing');
  });

  test.each([
    [599_999, 2_000],
    [600_000, 1_000],
  ])('3.4 one that ran for %d ms before its next bug pauses %d ms', async (healthy, pause) => {
    const { clock, seed, told } = guard([one]);
    await clock.advanceBy(100_000);
    seed.slip(one, poison(0));
    await clock.advanceBy(1_000 + healthy);
    const before = told(one).length;
    seed.slip(one, poison(0));
    await clock.advanceBy(pause - 1);
    expect(told(one)).toHaveLength(before + 1);
    await clock.advanceBy(1);
    expect(told(one)[before + 1]).toMatchObject({ event: { type: 'started' } });
  });

  const breaks: Record<string, (seed: SimSeed) => Partial<Guarding>> = {
    'leases, thrown at once': (seed) => ({
      shoots: { askPath: seed.askPath, listNodes: seed.listNodes, listLeases: onlyFor(two, seed.listLeases, broken) },
    }),
    'leases, rejected': (seed) => ({
      shoots: { askPath: seed.askPath, listNodes: seed.listNodes, listLeases: onlyFor(two, seed.listLeases, rejected) },
    }),
    'nodes, thrown at once': (seed) => ({
      shoots: { askPath: seed.askPath, listLeases: seed.listLeases, listNodes: onlyFor(two, seed.listNodes, broken) },
    }),
    'Machines, rejected': (seed) => ({ machines: { listMachines: onlyFor(two, seed.listMachines, rejected) } }),
    'writes, thrown at once': (seed) => ({ scaler: { read: seed.read, write: onlyFor(two, seed.write, broken) } }),
    'writes, rejected': (seed) => ({ scaler: { read: seed.read, write: onlyFor(two, seed.write, rejected) } }),
  };
  test.each(Object.keys(breaks))('3.4 a port that breaks its promise is a bug too: %s', async (port) => {
    const { clock, seed, endings, told, turns } = guard(undefined, breaks[port]);
    await clock.advanceBy(100_000);
    for (const shoot of [one, two, three]) seed.world(shoot).cutOff();
    await clock.advanceBy(60_000);
    const [end] = endings(two);
    expect(end?.event).toMatchObject({ because: 'bug', error: expect.stringContaining('broken port') });
    expect(end?.event.type === 'ended' && end.event.during?.type).toBe(
      // The place of the next probe is told before a promise can fail.
      { leases: 'woken', writes: port.endsWith('rejected') ? 'probe.reserved' : 'candidates.answered' }[
        port.split(',')[0]!
      ] ?? 'probe.answered',
    );
    expect(told(two).filter(({ event }) => event.type === 'started').length).toBeGreaterThan(1);
    for (const shoot of [one, three]) {
      expect(endings(shoot)).toEqual([]);
      expect(told(shoot).at(-1)?.to).toBe('scaledDown');
    }
    expectNumbered(turns);
  });

  test('3.4 reads, thrown at once', async () => {
    const { clock, seed, endings } = guard(undefined, (inner) => ({
      scaler: { write: inner.write, read: onlyFor(two, inner.read, broken) },
    }));
    await clock.advanceBy(100_000);
    for (const shoot of [one, two, three]) seed.world(shoot).breakWatch();
    await clock.advanceBy(60_000);
    expect(endings(two)[0]?.event).toMatchObject({ because: 'bug', during: { type: 'woken' } });
    expect([...endings(one), ...endings(three)]).toEqual([]);
  });

  test.each<[string, (seed: SimSeed) => Observable<SeedEvent>]>([
    ['throws', broken],
    ['fails', () => throwError(() => new Error('broken port'))],
    [
      'fails later',
      (seed) =>
        concat(
          seed.events$(two).pipe(take(5)),
          throwError(() => new Error('broken port')),
        ),
    ],
  ])('3.4 so is a stream of the seed that %s', async (_, stream) => {
    const { clock, endings, told } = guard(undefined, (seed) => ({
      seed: { shoots$: seed.shoots$, events$: (shoot) => (shoot === two ? stream(seed) : seed.events$(shoot)) },
    }));
    await clock.advanceBy(100_000);
    expect(endings(two).length).toBeGreaterThan(5);
    expect(endings(two)[0]?.event).toMatchObject({ because: 'bug', error: expect.stringContaining('broken port') });
    for (const shoot of [one, three]) expect(told(shoot).at(-1)?.to).toBe('probing');
  });

  test('3.4 6.10 a bug in a meltdown: what was down stays down, and comes back', async () => {
    const { clock, seed, told } = guard([one]);
    await clock.advanceBy(100_000);
    seed.world(one).cutOff();
    await clock.advanceBy(60_000);
    seed.slip(one, poison(0));
    await clock.advanceBy(60_000);
    expect(told(one).at(-1)?.to).toBe('scaledDown');
    seed.world(one).heal();
    await clock.advanceBy(120_000);
    for (const { key } of all) expect(seed.world(one).state(key)).toMatchObject({ replicas: 2, mark: false });
  });
});

describe('3.1 9.1 turns', () => {
  test('9.1 are numbered by one over all shoots, bugs and departures included', async () => {
    const { clock, seed, turns } = guard();
    await clock.advanceBy(100_000);
    for (const shoot of [one, two]) seed.world(shoot).cutOff();
    await clock.advanceBy(40_000);
    seed.slip(one, poison(0));
    seed.world(three).setCluster(undefined);
    await clock.advanceBy(40_000);
    expect(turns.length).toBeGreaterThan(60);
    expectNumbered(turns);
    expect(
      turns.every(
        ({ event, before, from }) =>
          (event.type === 'started') === (before === undefined) && (before === undefined) === (from === undefined),
      ),
    ).toBe(true);
  });

  test('9.1 show each life from its start, each from where the last one left it', async () => {
    const { clock, seed, told } = guard([one]);
    await clock.advanceBy(100_000);
    seed.world(one).cutOff();
    await clock.advanceBy(60_000);
    for (const [index, turn] of told(one).entries())
      expect(turn.before, `turn ${index}`).toEqual(index === 0 ? undefined : told(one)[index - 1]?.after);
  });

  test('3.1 a departing shoot is gone, then ended, and nothing comes after; one that comes back begins anew', async () => {
    const { clock, seed, told } = guard();
    await clock.advanceBy(100_000);
    seed.world(two).cutOff();
    while (told(two).at(-1)?.to !== 'scalingDown') await clock.advanceTo(clock.nextWakeAt!);
    seed.world(two).setCluster(undefined);
    const turns = told(two).length;
    expect(told(two).slice(-2)).toMatchObject([
      { event: { type: 'cluster.gone' }, to: 'idle' },
      { event: { type: 'ended', because: 'gone' }, from: 'idle', to: 'idle', commands: [], notes: [] },
    ]);
    await clock.advanceBy(100_000);
    expect(told(two)).toHaveLength(turns);
    expect(seed.world(two).writes, 'S3').toEqual([]);

    seed.world(two).heal();
    seed.world(two).setCluster({ readable: true, cluster: activeCluster });
    await clock.advanceBy(100_000);
    expect(told(two)[turns]).toMatchObject({ event: { type: 'started', input: { followed: false } }, from: undefined });
    expect(told(two).at(-1)?.to).toBe('probing');
  });

  test('3.1 3.4 9.2 a shoot that goes during the back-off after a bug is reported as gone, and not started again', async () => {
    const { clock, seed, told, endings } = guard();
    await clock.advanceBy(100_000);
    seed.slip(two, poison(0));
    seed.world(two).setCluster(undefined);
    await clock.advanceBy(100_000);
    expect(endings(two).map(({ event }) => event)).toMatchObject([{ because: 'bug' }, { because: 'gone' }]);
    expect(told(two).at(-1)).toBe(endings(two).at(-1));
  });

  test('1.4 unsubscribing from the turns ends everything: no timer is left, nothing is asked', async () => {
    const { clock, seed, running, turns } = guard();
    await clock.advanceBy(100_000);
    running.unsubscribe();
    const [count, asked] = [turns.length, seed.world(one).asked.leases];
    await clock.advanceBy(100_000);
    expect([turns.length, seed.world(one).asked.leases, clock.sleeping]).toEqual([count, asked, 0]);
  });
});

/** A shoot whose writes can be held as the rate limit holds them. */
const held = (config: ProberConfig = gardenerConfig) => {
  let scaler: HeldScaler | undefined;
  const guarded = new GuardedWorld(config, 5, { instead: (world) => ({ scaler: (scaler = new HeldScaler(world)) }) });
  return { guarded, world: guarded.world, scaler: scaler! };
};
const sent = ({ world }: { world: GuardedWorld['world'] }) => world.writes.map(({ change }) => change.replicas);

describe('6.3 writes that wait, and writes that were sent', () => {
  test('1.4 the end of the process takes back what waits', async () => {
    const stage = held();
    const { guarded, world, scaler } = stage;
    await guarded.pass(100_000);
    scaler.holding = true;
    world.cutOff();
    await guarded.pass(32_000);
    guarded.stop();
    scaler.release();
    await guarded.pass(10_000);
    expect([scaler.withdrawn, sent(stage)], 'two of the first level, and one of the second').toEqual([3, []]);
  });

  test('6.3 6.4 6.5 L1 L2 S5 back and forth, with writes held and sent at any time: the count is kept, and the last word stands', async () => {
    const config = { ...gardenerConfig, probeInterval: 5_000, dependants: [...all, widget] };
    const keys = config.dependants.map(({ key }) => key);
    const doing = fc.constantFrom('cutOff', 'heal', 'hold', 'release', 'pass', 'pass', 'passLong', 'crash');
    await fc.assert(
      fc.asyncProperty(fc.array(doing, { maxLength: 30 }), fc.nat(9_000), async (history, millis) => {
        const { guarded, world, scaler } = held(config);
        await guarded.pass(60_000);
        for (const what of history) {
          if (what === 'cutOff') world.cutOff();
          else if (what === 'heal') world.heal();
          else if (what === 'hold') scaler.holding = true;
          else if (what === 'release') scaler.release();
          else if (what === 'crash') guarded.restart();
          else await guarded.pass(what === 'pass' ? millis : 40_000);
        }
        const unguarded = world.writes.filter(
          ({ after }) => after.replicas === 0 && !(after.marked && after.record === '2'),
        );
        expect(unguarded, 'S5').toEqual([]);
        scaler.release();
        calm(guarded, keys);
        await guarded.pass(200_000);
        expect(keys.map((key) => world.state(key))).toMatchObject(
          keys.map(() => ({ replicas: 2, ready: 2, mark: false })),
        );
        world.cutOff();
        await guarded.pass(100_000);
        expect(keys.map((key) => world.state(key))).toMatchObject(
          keys.map(() => ({ replicas: 0, mark: true, record: '2' })),
        );
        guarded.stop();
      }),
      { numRuns: 40 },
    );
  });
});

test('4.4 an answer that comes after its probe was given up changes nothing', async () => {
  const { clock, told } = guard([one], (seed) => ({
    shoots: {
      askPath: seed.askPath,
      listNodes: seed.listNodes,
      // The answer comes after every deadline, and its leases expired long ago.
      listLeases: (shoot, deadlineAt, signal) =>
        new Promise((resolve) => {
          const old = [0, 1, 2].map((node) => ({ node: `node-${node}`, renewedAt: 0 }));
          clock.wakeAt(clock.now() + 45_000).subscribe(() => resolve({ ok: true, value: { leases: old } }));
          void [shoot, deadlineAt, signal];
        }),
    },
  }));
  await clock.advanceBy(300_000);
  expect(told(one).filter(({ event }) => event.type === 'probe.answered').length).toBeGreaterThan(3);
  expect(told(one).flatMap(({ notes }) => notes.map(({ kind }) => kind))).not.toContain('verdict');
  expect(told(one).filter(({ notes }) => notes.some(({ kind }) => kind === 'probeLost')).length).toBeGreaterThan(3);
});

function expectNumbered(turns: readonly ShootTurn[]): void {
  expect(turns.map(({ seq }) => seq)).toEqual(turns.map((_, index) => index + 1));
}

function broken(): never {
  throw new Error('broken port');
}

function rejected(): Promise<never> {
  return Promise.reject(new Error('broken port'));
}

/** The port as it is, except for one shoot. */
function onlyFor<Args extends readonly [string, ...never[]], Answer>(
  shoot: string,
  work: (...args: Args) => Answer,
  instead: () => Answer,
): (...args: Args) => Answer {
  return (...args) => (args[0] === shoot ? instead() : work(...args));
}
