import type { ProbeFailure } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import type { TwoPathConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { GuardedWorld } from './guarded-world.ts';
import { twoPathConfig } from './prober-configs.ts';
import type { SimWorld } from './sim-world.ts';

/** What a path answers in place of the world; undefined is an answer. Absent: what the world answers. */
export type PathFaults = Partial<Record<ShootPath, (deadlineAt: Instant) => Promise<ProbeFailure | undefined>>>;

/** What the real runtime takes of a shoot that is asked through two paths, while `play` changes its world; it is calm for a minute before. */
export async function onTwoPaths(
  play: (guarded: GuardedWorld, faults: PathFaults) => Promise<void>,
  config: Partial<TwoPathConfig> = {},
): Promise<readonly ShootTurn[]> {
  const faults: PathFaults = {};
  const shoots = (world: SimWorld) => ({
    listLeases: world.listLeases.bind(world),
    listNodes: world.listNodes.bind(world),
    askPath: (shoot: string, path: ShootPath, deadlineAt: number, signal: AbortSignal) =>
      faults[path]?.(deadlineAt) ?? world.askPath(shoot, path, deadlineAt, signal),
  });
  const guarded = new GuardedWorld({ ...twoPathConfig, ...config }, 5, {
    instead: (world) => ({ shoots: shoots(world) }),
  });
  await guarded.pass(60_000);
  await play(guarded, faults);
  guarded.stop();
  return guarded.turns;
}

/** The internal path fails for a while; then the external one does, and heals. At last the shoot goes. */
export function pathOutage(): Promise<readonly ShootTurn[]> {
  return onTwoPaths(async (guarded) => {
    guarded.world.api = 'down';
    await guarded.pass(60_000);
    guarded.world.api = 'up';
    await guarded.pass(60_000);
    guarded.world.loadBalancer = 'down';
    await guarded.pass(90_000);
    guarded.world.loadBalancer = 'up';
    await guarded.pass(120_000);
    guarded.world.setCluster(undefined);
    await guarded.pass(1_000);
  });
}

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
