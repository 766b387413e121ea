import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { GuardedWorld } from './guarded-world.ts';
import { gardenerConfig } from './prober-configs.ts';

/** A shoot after a calm minute. */
export async function calmShoot(nodes = 5): Promise<GuardedWorld> {
  const guarded = new GuardedWorld(gardenerConfig, nodes);
  await guarded.pass(60_000);
  return guarded;
}

/** A calm time, an outage and its healing, as the real runtime takes them; the shoot's API server fails for a while as well. */
export async function meltdown(nodes = 5): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(gardenerConfig, nodes);
  await guarded.pass(120_000);
  guarded.world.api = 'down';
  await guarded.pass(20_000);
  guarded.world.api = 'up';
  await guarded.pass(60_000);
  guarded.world.cutOff();
  await guarded.pass(90_000);
  guarded.world.heal();
  await guarded.pass(180_000);
  guarded.world.setCluster(undefined);
  await guarded.pass(1_000);
  guarded.stop();
  return guarded.turns;
}

/** The same story of several shoots at once; their turns alternate. */
export function ofShoots(turns: readonly ShootTurn[], count: number): readonly ShootTurn[] {
  return turns.flatMap((turn, index) =>
    Array.from({ length: count }, (_, shoot) => ({
      ...turn,
      seq: index * count + shoot + 1,
      subject: `shoot--${shoot}`,
    })),
  );
}

/** An outage and its healing, from a shoot whose owner gave one of five nodes a name that begins with `name`. Two would be one to a replay: the name is hidden. */
export async function leaseNamed(name: string): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(gardenerConfig, 5);
  for (const [index, node] of guarded.world.nodes.slice(0, 1).entries()) {
    node.name = `${name}${index}`;
    node.view = { ...node.view, name: node.name };
  }
  await guarded.pass(60_000);
  guarded.world.cutOff();
  await guarded.pass(60_000);
  guarded.world.heal();
  await guarded.pass(120_000);
  guarded.stop();
  return guarded.turns;
}
