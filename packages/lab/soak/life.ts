import process from 'node:process';
import { parse } from 'yaml';
import { readProberConfig } from 'dependency-watchdog/domain/config/read-prober-config.ts';
import { readWeederConfig } from 'dependency-watchdog/domain/config/read-weeder-config.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { usualPace } from '@dwd/simulator/workloads/workload-life.ts';
import { moreKinds } from '@dwd/simulator/commands/simulate/network-outage/more-kinds.ts';
import type { AccessAsked } from '@dwd/simulator/api/access.ts';
import type { ResourceKind } from '@dwd/simulator/store/resource-kind.ts';
import { clusterObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { editObject } from '@dwd/simulator/store/object-edits.ts';
import { createObject, type Storage } from '@dwd/simulator/store/object-writes.ts';
import { startSeed } from '@dwd/simulator/embedded-seed.ts';
import { MemoryNetwork } from '@dwd/simulator/memory/memory-network.ts';
import { gardenerGrants } from '@dwd/testing/gardener-rbac.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { chanceOf, drawsOf } from './chance-of.ts';
import { tellTo, type Director, type Observation } from './observation.ts';
import { calmDown, strike } from './happenings.ts';
import type { BrokenLaw, Law, LawInForce } from './law.ts';
import { TroublesSeen } from './laws/troubles-seen.ts';
import { MachineControllers } from './machine-controllers.ts';
import { Scene } from './scene.ts';
import { sleeperNames, type SeedPlan } from './seed-plan.ts';

/** Where every life begins: noon of a day. */
export const beginning: Instant = Date.parse('2026-06-01T12:00:00Z');

/** After calm has come: intervals, the longest flow with its delays, back-offs, and what a Lease may take. */
const settlesWithin: Millis = 900_000;
/** So many probes, in which nothing may be written. */
const quietProbes = 100;

export type Life = Readonly<{
  plan: SeedPlan;
  broken: BrokenLaw | undefined;
  /** Simulated. */
  length: Millis;
  /** What the laws had to judge. */
  judged: Record<string, number>;
}>;

export type LifeOptions = Readonly<{
  laws: readonly Law[];
  director?: Director;
  /** Hears everything, after the laws. */
  observe?: (observation: Observation) => void;
  /** What happens in the place of the plan's happenings and the calm after them. `passTo` lives until that age. */
  conduct?: (scene: Scene, passTo: (age: Millis) => Promise<void>) => Promise<void>;
  /** Called with the scene when the life is over, before it is taken down. */
  atEnd?: (scene: Scene) => void;
  /** Processes that are gone are kept with their journals until the end, which costs memory. */
  keepsProcesses?: boolean;
  /** It ends with the weather: whether all comes back is not judged. */
  endsWithWeather?: boolean;
}>;

/** Lives a plan to its end, or to the first broken law. */
export async function live(
  plan: SeedPlan,
  {
    laws,
    director = () => undefined,
    observe,
    conduct,
    atEnd,
    keepsProcesses = false,
    endsWithWeather = false,
  }: LifeOptions,
): Promise<Life> {
  const clock = new VirtualClock(beginning);
  const network = new MemoryNetwork();
  const config = readConfig(readProberConfig(parse(plan.proberConfig)));
  const weederConfig = readConfig(readWeederConfig(parse(plan.weederConfig)));
  const custom = moreKinds(config.dependants.map(({ ref }) => ref));
  const endsLater = new Map<string, Millis>();
  const seed = await startSeed(
    {
      pace: { ...usualPace, endsLater },
      clock,
      chance: chanceOf(plan.number, 'seed'),
      config,
      shoots: plan.shoots,
      nodes: plan.nodes,
      moreKinds: custom,
      replicas: (shoot, name) =>
        name.includes('missing')
          ? undefined
          : drawsOf(plan.number, `replicas of ${shoot}/${name}`).oneOf(plan.dependantReplicas),
      authorize: (asked) => isGranted(asked.user, asked, custom),
    },
    {
      server: (options) => network.server(options),
      certificates: () => network.certificates(),
      balancer: (target) => network.balancer(target),
    },
  );
  addSleepers(seed.api.storage, plan.asleep);
  for (let server = 1; server < plan.servers; server += 1) await network.twin(seed.api).up();
  const court: { broken: BrokenLaw | undefined } = { broken: undefined };
  const breaks = (law: string, why: string): void => {
    court.broken ??= { law, why, at: clock.now() - beginning };
  };
  const inForce: LawInForce[] = [];
  const judge = (ask: (law: LawInForce) => void): void => {
    for (const law of inForce) if (court.broken === undefined) ask(law);
  };
  const scene = new Scene({
    endsLater,
    plan,
    clock,
    network,
    seed,
    config,
    weederConfig,
    director,
    keepsProcesses,
    observe(observation) {
      tellTo(troubles, observation);
      judge((law) => tellTo(law, observation));
      tellTo(machines, observation);
      observe?.(observation);
      // What spins within one instant would never let its life end.
      if (court.broken !== undefined) for (const { process: spinning } of scene.slots) spinning?.crash();
    },
  });
  const troubles = new TroublesSeen(scene);
  const machines = new MachineControllers(scene, plan.machineHealthTimeout);
  for (const { name, begin } of laws) inForce.push(begin(scene, { troubles, breaks: (why) => breaks(name, why) }));

  const onBug = (error: unknown): void => {
    scene.observe({ kind: 'bug', error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    breaks('no bugs', String(error));
  };
  process.on('uncaughtException', onBug);
  process.on('unhandledRejection', onBug);
  const passTo = async (age: Millis): Promise<void> => {
    while (court.broken === undefined && scene.age < age) {
      await clock.advanceTo(Math.min(beginning + age, clock.now() + 1_000));
      scene.tellMarks();
      machines.look();
      troubles.look();
      judge((law) => law.look?.());
    }
  };
  try {
    for (const slot of scene.slots) scene.start(slot);
    if (conduct === undefined) {
      for (const happening of plan.happenings) {
        if (court.broken !== undefined) break;
        await passTo(happening.at);
        scene.observe({ kind: 'happening', happening });
        strike(scene, happening);
      }
      await passTo(plan.weather);
      if (court.broken === undefined && !endsWithWeather) {
        calmDown(scene);
        await passTo(plan.weather + settlesWithin);
        judge((law) => law.settled?.());
        await passTo(plan.weather + settlesWithin + quietProbes * config.probeInterval);
        for (const law of inForce) await law.quiet?.();
      }
    } else await conduct(scene, passTo);
    atEnd?.(scene);
    const judged = Object.assign({}, ...inForce.map((law) => law.counts?.()));
    return { plan, broken: court.broken, length: scene.age, judged };
  } finally {
    scene.close();
    await seed.stop();
    process.off('uncaughtException', onBug);
    process.off('unhandledRejection', onBug);
  }
}

/** Adds so many Clusters that are hibernated, so that a list of Clusters takes more than one page. Nothing else of them is there. */
function addSleepers(storage: Storage, count: number): void {
  for (const name of sleeperNames(count)) {
    createObject(storage, kinds.cluster, clusterObject(name));
    editObject(storage, kinds.cluster, name, {
      spec: { shoot: { spec: { hibernation: { enabled: true } }, status: { hibernated: true } } },
    });
  }
}

/** Whoever names other dependants than Gardener's grants the same for their kinds. */
function isOfDependants({ group, resource, verb }: AccessAsked, custom: readonly ResourceKind[]): boolean {
  const [name] = resource.split('/');
  const isNamed = custom.some((kind) => kind.group === group && kind.plural === name);
  const isWorkload = group === 'apps' && name === 'statefulsets';
  return (isNamed || isWorkload) && ['get', 'list', 'watch', 'update', 'patch'].includes(verb);
}

function readConfig<Config>(
  reading: Readonly<{ ok: true; config: Config }> | Readonly<{ ok: false; problems: unknown }>,
): Config {
  if (!reading.ok) throw new Error(`the configuration of a plan cannot be read: ${JSON.stringify(reading.problems)}`);
  return reading.config;
}

function isGranted(user: string, asked: AccessAsked, custom: readonly ResourceKind[]): boolean {
  if (user === 'admin') return true;
  if (user.startsWith('weeder')) return gardenerGrants(asked, 'weeder');
  return gardenerGrants(asked, 'prober') || isOfDependants(asked, custom);
}
