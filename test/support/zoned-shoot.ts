import { GuardedWorld } from './guarded-world.ts';
import { gardenerConfig } from './prober-configs.ts';

/** Nine nodes in three zones, in calm. `node-0` to `node-2` are in zone a. */
export async function zonedShoot(): Promise<GuardedWorld> {
  const guarded = new GuardedWorld({ ...gardenerConfig, backoffJitterFactor: 0 }, 9);
  for (const [index, node] of guarded.world.nodes.entries())
    node.view = { ...node.view, trueConditions: ['Ready'], zone: 'abc'[Math.floor(index / 3)]! };
  await guarded.pass(120_000);
  return guarded;
}
