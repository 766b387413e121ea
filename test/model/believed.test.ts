import { expect, test } from 'vitest';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import type { Guarding } from '../../src/effects/guard-shoots.ts';
import { controllerManager, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';
import type { SimWorld } from '@dwd/testing/sim-world.ts';
import type { VirtualClock } from '@dwd/testing/virtual-clock.ts';

const config = { ...gardenerConfig, dependants: [controllerManager, machineController] };
const keys = config.dependants.map(({ key }) => key);

async function down(probeInterval = 30_000): Promise<GuardedWorld> {
  const guarded = new GuardedWorld({ ...config, probeInterval });
  await guarded.pass(400_000);
  guarded.world.cutOff();
  await guarded.pass(400_000);
  expect(guarded.state).toBe('scaledDown');
  return guarded;
}

test('6.6 6.9 what is believed to be at 0 while the shoot is cut off, and runs, goes down again within a minute and a probe', async () => {
  const guarded = await down();
  // A backup from before the outage, with a counter that went back: the watch has nothing to show.
  guarded.world.restore(keys);
  await guarded.pass(95_000);
  for (const key of keys)
    expect(guarded.world.state(key), `the state of ${key}`).toMatchObject({ replicas: 0, mark: true, record: '2' });
});

test('6.6 it is asked for once a minute, at any interval', async () => {
  for (const interval of [5_000, 30_000, 300_000]) {
    const guarded = await down(interval);
    const { reads } = guarded.world.asked;
    await guarded.pass(600_000);
    const asked = guarded.world.asked.reads - reads;
    expect(asked, `${interval}`).toBeGreaterThanOrEqual(18);
    expect(asked, `${interval}`).toBeLessThanOrEqual(20);
    guarded.stop();
  }
});

test('6.6 from one look to the next it is never more than a minute, whenever the shoot is probed', async () => {
  const guarded = await down(300_000);
  const from = guarded.turns.length;
  await guarded.pass(600_000);
  const read = (key: string) =>
    guarded.turns
      .slice(from)
      .filter(({ commands }) => commands.some(({ type, params }) => type === 'read' && params.key === key))
      .map(({ event }) => event.at);
  for (const key of keys) {
    const times = read(key);
    expect(times.length).toBeGreaterThanOrEqual(9);
    const pauses = times.slice(1).map((at, before) => at - (times[before] ?? 0));
    expect(Math.max(...pauses), `the longest pause between looks at ${key}`).toBeLessThan(61_000);
  }
});

test('6.8 L1 an answer that none is there, of which the watch shows nothing, is doubted with each probe', async () => {
  let isDenied = false;
  const none = { outcome: 'read', view: { found: false } } as const;
  const instead = (world: SimWorld): Partial<Guarding> => ({
    scaler: {
      write: (...asked) => world.write(...asked),
      read: async (shoot, ref) => (isDenied ? none : world.read(shoot, ref)),
    },
  });
  const guarded = new GuardedWorld(config, 5, { instead });
  const { world } = guarded;
  await guarded.pass(400_000);
  world.cutOff();
  await guarded.pass(60_000);
  expect(guarded.state).toBe('scaledDown');
  isDenied = true;
  await guarded.pass(60_000);
  isDenied = false;
  world.heal();
  await guarded.pass(300_000);
  guarded.stop();
  for (const key of keys) expect(world.state(key), `the state of ${key}`).toMatchObject({ replicas: 2, mark: false });
});

test('6.6 6.9 a read that waits in the lane of what can wait does not stand in the way of that', async () => {
  let heldFrom = Infinity;
  const instead = (world: SimWorld, clock: VirtualClock): Partial<Guarding> => ({
    scaler: {
      write: (...asked) => world.write(...asked),
      // The seed answers 429, so nothing of that lane is sent.
      read: (shoot, ref, { urgent }) =>
        urgent || clock.now() < heldFrom ? world.read(shoot, ref) : new Promise(() => undefined),
    },
  });
  const guarded = new GuardedWorld(config, 5, { instead });
  const { world, clock } = guarded;
  await guarded.pass(400_000);
  world.cutOff();
  await guarded.pass(400_000);
  expect(guarded.state).toBe('scaledDown');
  heldFrom = clock.now();
  world.breakWatch();
  await guarded.pass(30_000);
  world.restore(keys);
  await guarded.pass(95_000);
  guarded.stop();
  for (const key of keys) expect(world.state(key), `the state of ${key}`).toMatchObject({ replicas: 0, mark: true });
});
