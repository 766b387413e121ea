import type { ShootTurn, WeederTurn } from 'dependency-watchdog/effects/turn.ts';
import { GuardedWorld } from './guarded-world.ts';
import { gardenerConfig, twoPathConfig } from './prober-configs.ts';
import type { ProbeFailure } from 'dependency-watchdog/domain/prober/probe-failure.ts';
import type { TwoPathConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { SimWorld } from './sim-world.ts';
import { pod, WeederStage } from './weeder-stage.ts';

/** A shoot after a calm minute. */
export async function calmShoot(nodes = 5): Promise<GuardedWorld> {
  const guarded = new GuardedWorld(gardenerConfig, nodes);
  await guarded.pass(60_000);
  return guarded;
}

/** What happens to its world, and how long it then lasts. */
type Step = readonly [happens: (world: SimWorld) => void, lasts: Millis];

const { fails, works, breaks, mends, cutOff, healed, goes } = {
  fails: (world) => (world.api = 'down'),
  works: (world) => (world.api = 'up'),
  breaks: (world) => (world.loadBalancer = 'down'),
  mends: (world) => (world.loadBalancer = 'up'),
  cutOff: (world) => world.cutOff(),
  healed: (world) => world.heal(),
  goes: (world) => world.setCluster(undefined),
} satisfies Readonly<Record<string, Step[0]>>;

/** What the real runtime takes of a shoot in calm, and of each of these steps. */
async function nightOf(guarded: GuardedWorld, calm: Millis, ...steps: readonly Step[]): Promise<readonly ShootTurn[]> {
  await guarded.pass(calm);
  for (const [happens, lasts] of steps) {
    happens(guarded.world);
    await guarded.pass(lasts);
  }
  guarded.stop();
  return guarded.turns;
}

/** A calm time, an outage and its healing; the shoot's API server fails for a while as well, and at last the shoot goes. */
export function meltdown(nodes = 5): Promise<readonly ShootTurn[]> {
  const steps: readonly Step[] = [
    [fails, 20_000],
    [works, 60_000],
    [cutOff, 90_000],
    [healed, 180_000],
    [goes, 1_000],
  ];
  return nightOf(new GuardedWorld(gardenerConfig, nodes), 120_000, ...steps);
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
export function leaseNamed(name: string): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(gardenerConfig, 5);
  for (const [index, node] of guarded.world.nodes.slice(0, 1).entries()) {
    node.name = `${name}${index}`;
    node.view = { ...node.view, name: node.name };
  }
  return nightOf(guarded, 60_000, [cutOff, 60_000], [healed, 120_000]);
}

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
  const external: readonly Step[] = [
    [breaks, 90_000],
    [mends, 120_000],
    [goes, 1_000],
  ];
  return nightOf(new GuardedWorld(twoPathConfig), 60_000, [fails, 60_000], [works, 60_000], ...external);
}

/** With two paths: a calm time, an outage of the external one and its healing, and an outage of the API server itself. */
export function twoPathNight(): Promise<readonly ShootTurn[]> {
  return nightOf(new GuardedWorld(twoPathConfig), 120_000, [breaks, 60_000], [mends, 120_000], [fails, 120_000]);
}

export const apiserver = 'shoot--sim--one/kube-apiserver';

/**
 * The service is there, goes down and comes back. Of its dependants one pod is deleted at once, and one after two
 * failures; twelve at once are more than may be under way. The service relapses and comes back; then it goes.
 */
export async function recovery(): Promise<readonly WeederTurn[]> {
  const stage = new WeederStage(apiserver);
  await stage.pass(310_000);
  stage.ready(apiserver, 0);
  await stage.pass(60_000);
  stage.ready(apiserver, 1);
  await stage.pass(150);
  stage.sees(apiserver, pod('kcm'));
  await stage.pass(1_000);
  stage.ready(apiserver, 2);
  stage.sees(apiserver, pod('kcm', 'ending'));
  stage.loses(apiserver, pod('kcm'));

  stage.answer = () => ({ outcome: 'failed', reason: '500', detail: 'the seed is ill' });
  stage.sees(apiserver, pod('scheduler'));
  await stage.pass(1_100);
  stage.answer = () => ({ outcome: 'deleted' });
  await stage.pass(10_000);

  stage.sees(apiserver, ...Array.from({ length: 12 }, (_, index) => pod(`many-${index}`)));
  await stage.pass(10_000);

  stage.sees(apiserver, pod('late'));
  stage.ready(apiserver, 0);
  await stage.pass(5_000);
  stage.ready(apiserver, 1);
  await stage.pass(310_000);
  stage.ready(apiserver, 0);
  stage.ready(apiserver, 1);
  await stage.pass(1_000);
  stage.gone(apiserver);
  await stage.pass(1_000);
  stage.stop();
  return stage.turns;
}

/** The same story of several namespaces at once; their turns alternate. */
export function ofNamespaces(turns: readonly WeederTurn[], count: number): readonly WeederTurn[] {
  return turns.flatMap((turn, index) =>
    Array.from({ length: count }, (_, one) => ({
      ...turn,
      seq: index * count + one + 1,
      subject: `shoot--${one}/kube-apiserver` as const,
    })),
  );
}
