import { expect, test } from 'vitest';
import type { Clock, ShootApi } from '../../src/effects/ports.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { activeCluster, type SimWorld } from '@dwd/testing/sim-world.ts';

/**
 * Six of ten leases, or `some` of them, are always 1 ms from being expired. They belong to other nodes each time, since a lease
 * that moves is fresh (5.1).
 */
function aboutToCross(some: number) {
  let asked = 0;
  const age = (index: number) => (index < some ? 35_000 : index < 6 ? 29_999 : 0);
  return (world: SimWorld, clock: Clock): { shoots: ShootApi } => ({
    shoots: {
      askPath: (shoot, path, deadlineAt) => world.askPath(shoot, path, deadlineAt),
      listNodes: (shoot, deadlineAt) => world.listNodes(shoot, deadlineAt),
      listLeases: (_shoot, deadlineAt) => {
        asked += 1;
        const leases = Array.from({ length: 10 }, (_, index) => ({
          node: `node-${asked}-${index}`,
          renewedAt: clock.now() - age(index),
        }));
        return world
          .listLeases('', deadlineAt)
          .then((answer) => (answer.ok ? { ok: true, value: { leases } } : answer));
      },
    },
  });
}

test.each([0, 1])(
  '4.6 4.7 leases that are always about to cross cost 42 probes and looks a minute, and not 240; %i are expired',
  async (some) => {
    const guarded = new GuardedWorld(gardenerConfig, 10, { instead: aboutToCross(some) });
    await guarded.pass(120_000);
    const { asked } = guarded.world;
    const before = { ...asked };
    await guarded.pass(600_000);
    for (const what of ['leases', 'nodes', 'machines'] as const)
      expect((asked[what] - before[what]) / 10, `${what} a minute`).toBeLessThanOrEqual(42);
    const said = guarded.turns.flatMap(({ notes }) => notes.filter(({ kind }) => kind === 'earlyProbesSpent'));
    expect(said).toHaveLength(1);
  },
);

test('3.3 4.6 a Cluster that is changed a hundred times a second hurries no more probes than that', async () => {
  const guarded = new GuardedWorld(gardenerConfig);
  await guarded.pass(100_000);
  const before = guarded.world.asked.leases;
  for (let change = 0; change < 6_000; change++) {
    const cluster = { ...activeCluster, nodeMonitorGrace: 40_000 + (change % 2) };
    guarded.world.setCluster({ readable: true, cluster });
    await guarded.pass(10);
  }
  expect(guarded.world.asked.leases - before).toBeLessThanOrEqual(52);
});
