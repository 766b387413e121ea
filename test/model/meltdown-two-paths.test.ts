import { describe, expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { autoscaler, controllerManager, machineController, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import type { ApiBehaviour } from '@dwd/testing/sim-world.ts';

const all = [controllerManager, machineController, autoscaler].map(({ key }) => key);
const ways: readonly ApiBehaviour[] = ['down', 'hanging', 'garbled'];
const down = all.map(() => ({ replicas: 0, ready: 0, mark: true, record: '2' }));
const up = all.map(() => ({ replicas: 2, ready: 2, mark: false, record: undefined }));
const standing = ({ world }: GuardedWorld) => all.map((key) => world.state(key));

/** A shoot whose two paths have answered for a while. */
async function calmShoot(config: ProberConfig = twoPathConfig, calm = 120_000): Promise<GuardedWorld> {
  const guarded = new GuardedWorld(config);
  await guarded.pass(calm);
  return guarded;
}

test.each(ways)(
  'L1 L2 4.9 one outage of the external path, from calm to calm: the load balancer is %s',
  async (way) => {
    const guarded = await calmShoot();
    const { world } = guarded;
    expect([guarded.state, world.writes]).toEqual(['probing', []]);
    world.loadBalancer = way;
    await guarded.pass(40_000);
    expect(guarded.state).toBe('scaledDown');
    expect(standing(guarded)).toMatchObject(down);
    world.loadBalancer = 'up';
    await guarded.pass(120_000);
    expect(guarded.state).toBe('probing');
    expect(standing(guarded)).toMatchObject(up);
    expect(world.asked).toMatchObject({ leases: 0, nodes: 0, machines: 0 });
  },
);

test.each(ways)(
  'S1 4.9 an outage of the internal path scales nothing, however long, and leaves the shoot alone: it is %s',
  async (way) => {
    const guarded = await calmShoot();
    const { world } = guarded;
    world.api = way;
    world.loadBalancer = 'down';
    const before = { ...world.asked };
    await guarded.pass(600_000);
    expect(world.writes).toEqual([]);
    // Twice more before it is left alone, and then once in 30 s, which take their time where nothing answers.
    expect(world.asked.internal - before.internal).toBeLessThanOrEqual(23);
    expect(world.asked.external - before.external, 'side by side with the first of them').toBeLessThanOrEqual(1);
    world.api = 'up';
    world.loadBalancer = 'up';
    await guarded.pass(60_000);
    expect([guarded.state, world.writes]).toEqual(['probing', []]);
  },
);

test('S1 4.9 an API server that is away with the load balancer, and back before it, is not taken down at once', async () => {
  const guarded = await calmShoot();
  const { world } = guarded;
  world.api = 'down';
  world.loadBalancer = 'down';
  await guarded.pass(60_000);
  world.api = 'up';
  // The external path is back 2 s after the internal one was seen to be.
  const before = world.asked.external;
  while (world.asked.external === before) await guarded.pass(500);
  await guarded.pass(2_000);
  world.loadBalancer = 'up';
  await guarded.pass(60_000);
  expect([guarded.state, world.writes]).toEqual(['probing', []]);
});

test('4.9 6.10 what was scaled down stays so across restarts until the external path has answered `successThreshold` times', async () => {
  const guarded = await calmShoot({ ...twoPathConfig, successThreshold: 2 });
  const { world } = guarded;
  world.loadBalancer = 'hanging';
  await guarded.pass(60_000);
  expect(standing(guarded)).toMatchObject(down);
  world.writes.length = 0;
  for (let restarts = 0; restarts < 5; restarts++) {
    guarded.restart(restarts % 2 === 0);
    await guarded.pass(7_000);
  }
  world.api = 'down';
  guarded.restart();
  await guarded.pass(60_000);
  expect(world.writes).toEqual([]);
  world.api = 'up';
  world.loadBalancer = 'up';
  guarded.restart();
  // The first answer.
  await guarded.pass(1_000);
  expect([world.asked.external > 0, world.writes]).toEqual([true, []]);
  await guarded.pass(120_000);
  expect(standing(guarded)).toMatchObject(up);
});

describe('4.9 how soon the way down begins', () => {
  test.each([
    // At the latest an interval with its jitter, two pauses of a third of it, and an answer.
    ['down', 19_000],
    // The same, but each question takes all of its 5 s.
    ['hanging', 27_500],
  ] as const)('4.9 the load balancer is %s: within %i ms, whenever it breaks', async (way, most) => {
    let longest = 0;
    for (let phase = 0; phase < 12_000; phase += 517) {
      const guarded = await calmShoot(twoPathConfig, 100_000 + phase);
      guarded.world.loadBalancer = way;
      const brokenAt = guarded.clock.now();
      await guarded.pass(40_000);
      const tookMs = guarded.world.writes[0]!.at - brokenAt;
      const shielded = guarded.turns.flatMap(({ notes }) => notes).find((note) => note.kind === 'shielded');
      expect(tookMs, `phase ${phase}`).toBeLessThanOrEqual(most);
      expect(tookMs, 'three questions').toBeGreaterThan(6_000);
      // What is said of the margin never promises more than there is: a kubelet may have renewed 10 s before the break.
      expect(shielded, `phase ${phase}`).toMatchObject({ kind: 'shielded' });
      const { firstMarkAt } = shielded as { firstMarkAt: number };
      expect(firstMarkAt, `phase ${phase}`).toBeLessThanOrEqual(brokenAt - 10_000 + 40_000);
      longest = Math.max(longest, tookMs);
      guarded.stop();
    }
    // The phases have come near to the worst one.
    expect(longest).toBeGreaterThan(most - 3_000);
  });
});
