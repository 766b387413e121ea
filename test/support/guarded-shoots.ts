import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';

/** Three nodes in each zone, in calm. `node-0` to `node-2` are in zone a. */
export async function zonedShoot(zones = 3): Promise<GuardedWorld> {
  const guarded = new GuardedWorld({ ...gardenerConfig, backoffJitterFactor: 0 }, 3 * zones);
  for (const [index, node] of guarded.world.nodes.entries())
    node.view = { ...node.view, trueConditions: ['Ready'], zone: zoneAt(Math.floor(index / 3)) };
  await guarded.pass(120_000);
  return guarded;
}

/** `a` to `d`, then `e4` and so on. */
function zoneAt(index: number): string {
  return 'abcd'[index] ?? `e${index}`;
}

/** A shoot of whose leases so many are left out at each probe (SPEC 4.7). */
export function crowdedShoot(leftOut: () => number): GuardedWorld {
  return new GuardedWorld({ ...gardenerConfig, backoffJitterFactor: 0 }, 5, {
    instead: (world) => ({
      shoots: {
        askPath: (shoot, path, deadlineAt, signal) => world.askPath(shoot, path, deadlineAt, signal),
        listNodes: (...args) => world.listNodes(...args),
        listLeases: async (shoot, deadlineAt, signal) => {
          const answer = await world.listLeases(shoot, deadlineAt, signal);
          return answer.ok && leftOut() > 0 ? { ...answer, value: { ...answer.value, leftOut: leftOut() } } : answer;
        },
      },
    }),
  });
}
