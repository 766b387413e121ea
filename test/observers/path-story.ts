import type { ShootTurn } from '../../src/effects/turn.ts';
import { GuardedWorld } from '../support/guarded-world.ts';
import { twoPathConfig } from '../support/prober-configs.ts';

/** With two paths: a calm time, an outage of the external one and its healing, and an outage of the API server itself. */
export async function twoPathNight(): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(twoPathConfig);
  await guarded.pass(120_000);
  guarded.world.loadBalancer = 'down';
  await guarded.pass(60_000);
  guarded.world.loadBalancer = 'up';
  await guarded.pass(120_000);
  guarded.world.api = 'down';
  await guarded.pass(120_000);
  guarded.stop();
  return guarded.turns;
}
