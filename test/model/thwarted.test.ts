import { describe, expect, test } from 'vitest';
import type { DependantKey } from '../../src/domain/prober/dependant.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { Instant, Millis } from '../../src/domain/time.ts';
import { auditedWorld } from '../support/audited-life.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { controllerManager, dependant, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';

/** Written in two steps, and never watched. */
const widget = dependant('example.org/v1', 'Widget', 'thing', { down: 0, up: 3 });
const config: ProberConfig = { ...gardenerConfig, dependants: [controllerManager, machineController, widget] };
const [kcm, mcm, thing] = [controllerManager.key, machineController.key, widget.key];

/** A shoot that is probed, and each instant at which a dependant was written. */
async function probed(under = config) {
  const written: { at: Instant; key: DependantKey }[] = [];
  const guarded: GuardedWorld = new GuardedWorld(under, 5, {
    onTurn: ({ at, commands }) => {
      for (const { type, params } of commands) if (type === 'scale') written.push({ at, key: params.key });
    },
  });
  await guarded.pass(100_000);
  written.length = 0;
  const until = async (done: () => boolean, most: Millis): Promise<Instant> => {
    const end = guarded.clock.now() + most;
    while (!done() && guarded.clock.now() < end) await guarded.pass(20);
    return guarded.clock.now();
  };
  const of = (key: DependantKey) => written.filter((one) => one.key === key).map(({ at }) => at);
  return { guarded, world: guarded.world, of, until };
}

/** After two writes, which one way may need, and one more for a single hand, the pauses grow to 5 s. */
function expectPaced(writes: readonly Instant[]): void {
  const pauses = writes.slice(1).map((at, index) => at - writes[index]!);
  for (const [index, least] of [0, 0, 250, 500, 1_000, 2_000, 4_000].entries())
    expect(pauses[index] ?? Infinity, `pause ${index} of ${pauses.slice(0, 9).join()}`).toBeGreaterThanOrEqual(least);
  for (const pause of pauses.slice(7)) expect(pause).toBeGreaterThanOrEqual(4_900);
}

const notes = ({ turns }: GuardedWorld, kind: string) =>
  turns.flatMap((turn) => turn.notes.filter((note) => note.kind === kind));

type World = Awaited<ReturnType<typeof probed>>;

/** What may be made of our writes on the way down, and when it is over. */
const hands: Record<string, (key: DependantKey, play: World) => () => void> = {
  'a webhook holds it at one replica or more': (key, { world }) => {
    world.admission = (of, asked) => (of === key ? { ...asked, replicas: Math.max(1, asked.replicas) } : asked);
    return () => (world.admission = (_, asked) => asked);
  },
  'a 200 changes nothing': (key, { world }) => {
    world.admission = (of, asked, before) => (of === key ? before : asked);
    return () => (world.admission = (_, asked) => asked);
  },
  'a webhook takes mark and record away': (key, { world }) => {
    world.admission = (of, asked) => (of === key ? { ...asked, mark: false, record: undefined } : asked);
    return () => (world.admission = (_, asked) => asked);
  },
  'a controller raises it 5 ms after each 0': (key, { world, guarded }) => {
    let isOver = false;
    world.admission = (of, asked, before) => {
      if (of === key && asked.replicas === 0 && before.replicas > 0)
        guarded.clock
          .wakeAt(guarded.clock.now() + 5)
          .subscribe(() => !isOver && world.edit(key, { replicas: before.replicas }));
      return asked;
    };
    return () => (isOver = true);
  },
  'the same, and the watch shows it before our answer': (key, { world }) => {
    let isOver = false;
    world.admission = (of, asked, before) => {
      if (of === key && asked.replicas === 0 && before.replicas > 0 && !isOver)
        queueMicrotask(() => world.edit(key, { replicas: before.replicas }));
      return asked;
    };
    return () => (isOver = true);
  },
  'its pods end after 12 s': (key, { world }) => {
    world.endsIn.set(key, 12_000);
    return () => undefined;
  },
};

describe('6.1 6.8 on the way down', () => {
  test.for(
    Object.keys(hands).flatMap((hand) => [
      [hand, mcm],
      [hand, thing],
    ]),
  )('6.1 6.8 %s (%s): it is written with growing pauses, and the next level begins in time', async ([hand, key]) => {
    const play = await probed();
    const { guarded, world, of, until } = play;
    const over = hands[hand!]!(key!, play);
    world.cutOff();
    const from = await until(() => of(key!).length > 0, 60_000);
    const downAt = await until(() => world.state(kcm).ready === 0, 20_000);
    expect(downAt - from).toBeLessThan(5_600);
    await guarded.pass(60_000);
    expectPaced(of(key!));
    over();
    await guarded.pass(12_000);
    expect(world.state(key!)).toMatchObject({ replicas: 0, mark: true, record: '2' });
    expect([guarded.state, notes(guarded, 'shielded').length]).toEqual(['scaledDown', 1]);
    world.heal();
    await guarded.pass(90_000);
    for (const one of config.dependants)
      expect(world.state(one.key)).toMatchObject({ replicas: 2, mark: false, record: undefined });
  });

  test('6.9 6.8 what somebody raised once is down again with the next verdict', async () => {
    const { guarded, world, of } = await probed();
    world.cutOff();
    await guarded.pass(60_000);
    expect(guarded.state).toBe('scaledDown');
    world.edit(mcm, { replicas: 1 });
    await guarded.pass(5_500);
    expect(world.state(mcm)).toMatchObject({ replicas: 0 });
    expect(of(mcm)).toHaveLength(2);
  });

  test.for([1_000, 2_000, 4_500])(
    '6.1 the next level begins when a time-out of %i ms is over, a back-off or not',
    async (timeout) => {
      const short = { ...machineController, scaleDown: { ...machineController.scaleDown, timeout } };
      const { world, of, until } = await probed({ ...config, dependants: [controllerManager, short] });
      world.writing = 'refused';
      world.cutOff();
      await until(() => of(kcm).length > 0, 60_000);
      // It may be sooner, where the first mark is near.
      expect(of(kcm)[0]! - of(mcm)[0]!).toBeLessThanOrEqual(timeout);
    },
  );
});

describe('6.5 6.8 L1 on the way up', () => {
  test.for([
    ['1', true],
    ['2', false],
    ['2', true],
  ] as const)(
    '6.5 L1 a webhook holds it at 0 for 3 s, with a record of %s, and a crash in between: %s',
    async ([record, crashes]) => {
      const { guarded, world, of } = await probed();
      for (const { key } of config.dependants) world.edit(key, { replicas: Number(record) });
      world.cutOff();
      await guarded.pass(60_000);
      world.admission = (key, asked) => (key === kcm ? { ...asked, replicas: 0 } : asked);
      const before = of(kcm).length;
      world.heal();
      for (let waited = 0; of(kcm).length === before && waited < 6_000; waited += 5) await guarded.pass(5);
      if (crashes) {
        // The write has been carried out, and nobody has seen the answer.
        await guarded.pass(4);
        guarded.restart(true);
      }
      await guarded.pass(3_000);
      // A crash within the few milliseconds before the next write takes a mark with it, and no count: 1 is what no record tells as well.
      const { mark, record: kept } = world.state(kcm);
      expect(crashes && record === '1' ? 'as it may be' : { mark, kept }).toEqual(
        crashes && record === '1' ? 'as it may be' : { mark: true, kept: record },
      );
      expectPaced(of(kcm).slice(before));
      world.admission = (_, asked) => asked;
      await guarded.pass(90_000);
      for (const { key } of config.dependants)
        expect(world.state(key)).toMatchObject({ replicas: Number(record), mark: false, record: undefined });
    },
  );

  test('6.5 6.1 a policy lets it have one of two: mark and record stay, and the next level goes on', async () => {
    const { guarded, world, of } = await probed();
    world.cutOff();
    await guarded.pass(60_000);
    const before = of(kcm).length;
    world.admission = (key, asked) => (key === kcm ? { ...asked, replicas: Math.min(1, asked.replicas) } : asked);
    world.heal();
    await guarded.pass(90_000);
    expect(world.state(kcm)).toMatchObject({ replicas: 1, mark: true, record: '2' });
    expect(world.state(mcm)).toMatchObject({ replicas: 2, mark: false });
    expectPaced(of(kcm).slice(before));
    world.admission = (_, asked) => asked;
    await guarded.pass(6_000);
    expect(world.state(kcm)).toMatchObject({ replicas: 2, mark: false, record: undefined });
  });

  test.for([mcm, thing])(
    '6.5 6.8 in calm a webhook puts our mark back on %s: it is taken away with growing pauses',
    async (key) => {
      const { guarded, world, of } = await probed();
      world.admission = (of_, asked, { mark, record }) => (of_ === key ? { ...asked, mark, record } : asked);
      world.edit(key, { mark: true, record: '2' });
      await guarded.pass(120_000);
      expect(of(key).length).toBeGreaterThan(5);
      expectPaced(of(key));
      world.admission = (_, asked) => asked;
      await guarded.pass(6_000);
      expect([world.state(key).mark, guarded.state]).toEqual([false, 'probing']);
    },
  );
});

test('S4 6.1 6.8 what was undone on the way down is waited for on the way up', async () => {
  const atOnce = { ...machineController, scaleUp: { ...machineController.scaleUp, initialDelay: 0 } };
  const { guarded, broken } = auditedWorld({ ...gardenerConfig, dependants: [controllerManager, atOnce] });
  const { world } = guarded;
  await guarded.pass(100_000);
  world.admission = (key, asked) => (key === kcm ? { ...asked, replicas: Math.max(1, asked.replicas) } : asked);
  world.cutOff();
  await guarded.pass(60_000);
  expect(world.state(kcm)).toMatchObject({ replicas: 1, mark: true, record: '2' });
  world.heal();
  await guarded.pass(60_000);
  expect([world.state(mcm).replicas, broken]).toEqual([2, []]);
});

test('6.7 6.5 6.8 what was undone is forgotten once somebody has the dependant ignored: it stays as it was left (soak number 791108)', async () => {
  const { guarded, world, of } = await probed();
  world.admission = (key, asked) => (key === kcm ? { ...asked, replicas: Math.max(1, asked.replicas) } : asked);
  world.cutOff();
  await guarded.pass(40_000);
  expect(world.state(kcm)).toMatchObject({ replicas: 1, mark: true, record: '2' });
  world.edit(kcm, { ignored: true });
  await guarded.pass(10_000);
  world.admission = (_, asked) => asked;
  world.heal();
  await guarded.pass(120_000);
  const left = { replicas: 1, mark: false, record: '2' };
  expect([guarded.state, world.state(kcm)]).toMatchObject(['probing', left]);
  const before = of(kcm).length;
  world.edit(kcm, { ignored: false });
  await guarded.pass(60_000);
  expect([of(kcm).length - before, world.state(kcm)]).toMatchObject([0, left]);
});

describe('the audit of the machine asks no more of the levels than 6.1', () => {
  test('S4 6.1 on the way up from what runs, and is undone each time', async () => {
    const patient = { ...controllerManager, scaleUp: { ...controllerManager.scaleUp, timeout: 60_000 } };
    const { guarded, broken } = auditedWorld({ ...gardenerConfig, dependants: [patient, machineController] });
    await guarded.pass(100_000);
    guarded.world.cutOff();
    await guarded.pass(60_000);
    guarded.world.admission = (key, asked) =>
      key === kcm ? { ...asked, replicas: Math.min(1, asked.replicas) } : asked;
    guarded.world.heal();
    await guarded.pass(90_000);
    expect([guarded.world.state(mcm).replicas, broken]).toEqual([2, []]);
  });

  test('S4 6.1 6.8 on the way down where the first level backs off from a hand, and the second from conflicts', async () => {
    const { guarded, broken } = auditedWorld({ ...gardenerConfig, dependants: [controllerManager, machineController] });
    const { world } = guarded;
    await guarded.pass(100_000);
    world.cutOff();
    for (let passed = 0; passed < 110_000; passed += 2) {
      await guarded.pass(2);
      world.edit(kcm, {});
      if (passed > 60_000 && passed % 700 === 0) world.edit(mcm, { replicas: 1 });
    }
    expect(broken).toEqual([]);
  });
});
