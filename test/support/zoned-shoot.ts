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
