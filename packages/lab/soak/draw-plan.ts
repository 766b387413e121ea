import { drawsOf, type Draws } from './chance-of.ts';
import type { Happening } from './happening.ts';
import { happeningKinds } from './happenings.ts';
import {
  deployedConfig,
  fairWeather,
  shootNames,
  type LinkWeather,
  type SeedPlan,
  type SeedShape,
} from './seed-plan.ts';

/** As gardenlet writes it, but probing three times as often, so that more happens in an hour. */
const gardener = deployedConfig('prober').replace('probeInterval: 30s', 'probeInterval: 10s');
const gardenerWeeder = deployedConfig('weeder');

/** The life that belongs to a number: the same one, wherever and whenever it is drawn. `instead` is in the place of what was drawn. */
export function drawPlan(number: number, instead: Readonly<Partial<SeedShape>> = {}): SeedPlan {
  const shape = { ...drawShape(number), ...instead };
  const happenings = happeningKinds.flatMap((kind, index) => {
    const draws = drawsOf(number, `happening ${index}`);
    const mean = 3_600_000 / (typeof kind.hourly === 'number' ? kind.hourly : kind.hourly(shape));
    const subjects = kind.of === 'seed' ? [''] : shootNames(shape.shoots);
    return subjects.flatMap((shoot) => {
      const drawn: Happening[] = [];
      for (let at = wait(draws, mean); at < shape.weather; at += wait(draws, mean))
        drawn.push(...kind.draw({ ...draws, shape, at: Math.round(at), shoot }));
      return drawn;
    });
  });
  const inTime = happenings.filter(({ at }) => at < shape.weather);
  return { ...shape, happenings: inTime.toSorted((one, other) => one.at - other.at) };
}

/** Until the next of things that come so often on average. */
function wait({ chance }: Draws, mean: number): number {
  return -Math.log(1 - chance()) * mean;
}

function drawShape(number: number): SeedShape {
  const draws = drawsOf(number, 'shape');
  const { between, oneOf, strikes } = draws;
  // What came later has a stream of its own, so that what was drawn before stays.
  const later = (use: string): Draws => drawsOf(number, use);
  const shoots = oneOf([1, 2, 3, 5, 8]);
  const weeders = later('second weeder').strikes(0.5) ? 2 : 1;
  // One prober without an election has no Lease that shows a restore. So such a seed mostly has one, and two servers, one of which may miss it.
  const isAlone = later('alone').strikes(0.15);
  const likely = isAlone ? 0.9 : 0.5;
  const hostFails = later('host').strikes(0.2);
  return {
    number,
    // A seed of many shoots costs as much as many seeds, so it comes seldom.
    shoots: later('many shoots').strikes(0.05) ? 20 : shoots,
    // More than a page of a list has.
    asleep: later('asleep').strikes(0.2) ? 25 : 0,
    nodes: between(1, 6),
    ...drawProberConfig(later('configuration')),
    dependantReplicas: [1, 1, 2, 3],
    weederConfig: gardenerWeeder,
    largeControlPlanes: later('control planes').strikes(0.3),
    replicas: { prober: strikes(0.6) && !isAlone ? 2 : 1, weeder: strikes(0.3) ? weeders : 0 },
    election: strikes(0.8) && !isAlone,
    weather: between(20, 60) * 60_000,
    qps: later('rate').oneOf([20, 20, 20, 20, -1]),
    restores: later('restores').strikes(likely),
    // Gardener's is 10 min.
    machineHealthTimeout: later('machine health').oneOf([60_000, 180_000, 600_000]),
    journals: hostFails || later('journals').strikes(0.25),
    hostFails,
    servers: later('servers').strikes(likely) ? 2 : 1,
    links: { seed: drawWeather(draws), shoot: drawWeather(draws) },
    clocks: { ahead: strikes(0.5) ? 0 : 2_000, drift: strikes(0.5) ? 0 : 0.0005 },
  };
}

/** A third of all lives have fair weather, so that what other faults do can be seen. */
function drawWeather({ chance, between, strikes }: Draws): LinkWeather {
  if (strikes(1 / 3)) return fairWeather;
  const rate = (most: number): number => (strikes(0.4) ? chance() * most : 0);
  return {
    there: [1, between(5, 150)],
    refused: rate(0.05),
    lost: rate(0.05),
    unanswered: rate(0.05),
    doubled: rate(0.05),
    status: rate(0.05),
    garbled: rate(0.03),
    truncated: rate(0.03),
    slow: rate(0.03),
    watchLag: [1, strikes(0.3) ? between(500, 8_000) : 50],
    watchSilent: rate(0.3),
    watchCut: rate(0.3),
    withoutBookmarks: rate(0.5),
  };
}

/** The prober's configuration in a life: half of them have Gardener's, the others what an operator may choose, in either generation. */
function drawProberConfig(draws: Draws): Pick<SeedShape, 'proberConfig' | 'twoPaths'> {
  if (draws.strikes(0.5)) return { proberConfig: gardener, twoPaths: false };
  const twoPaths = draws.strikes(0.4);
  return { proberConfig: (twoPaths ? pathsYaml(draws) : leasesYaml(draws)) + dependantsYaml(draws), twoPaths };
}

function leasesYaml({ oneOf }: Draws): string {
  const failureThreshold = oneOf([1, 1, 2]);
  return `kubeConfigSecretName: shoot-access-dependency-watchdog-probe
probeInterval: ${oneOf([5, 10, 15, 30])}s
initialDelay: ${oneOf([1, 5, 30])}s
kcmNodeMonitorGraceDuration: ${oneOf([40, 60, 120])}s
nodeLeaseFailureFraction: ${oneOf(['0.3', '0.6', '0.6', '1'])}
failureThreshold: ${failureThreshold}
successThreshold: ${oneOf([1, 1, 2])}
`;
}

function pathsYaml({ oneOf }: Draws): string {
  return `internalKubeConfigSecretName: dwd-internal-probe
externalKubeConfigSecretName: dwd-external-probe
probeInterval: ${oneOf([5, 10, 20])}s
initialDelay: ${oneOf([1, 5])}s
failureThreshold: ${oneOf([1, 2, 3])}
successThreshold: ${oneOf([1, 2])}
internalProbeFailureBackOffDuration: ${oneOf([10, 30])}s
`;
}

const names = ['kube-controller-manager', 'machine-controller-manager', 'cluster-autoscaler'];

/** One to all of Gardener's, and now and then a StatefulSet, a custom resource, and one that is missing. */
function dependantsYaml({ between, oneOf, strikes }: Draws): string {
  const all = [
    ...names.slice(0, between(1, names.length)).map((name) => ['apps/v1', 'Deployment', name, 'false']),
    ...(strikes(0.3) ? [['apps/v1', 'StatefulSet', 'machine-store', 'false']] : []),
    ...(strikes(0.3) ? [['example.org/v1', 'Widget', 'widget', 'false']] : []),
    ...(strikes(0.3) ? [['apps/v1', 'Deployment', 'missing-controller', 'true']] : []),
  ];
  const side = (delays: readonly number[]): string => `{level: ${between(0, 2)}, initialDelay: ${oneOf(delays)}s}`;
  const rows = all.map(
    ([apiVersion, kind, name, optional]) =>
      `- {ref: {apiVersion: ${apiVersion}, kind: ${kind}, name: ${name}}, optional: ${optional}, ` +
      `scaleUp: ${side([0, 0, 5, 30])}, scaleDown: ${side([0, 0, 0, 5])}}\n`,
  );
  return `dependentResourceInfos:\n${rows.join('')}`;
}

/** So many numbers are put in order at a time. */
const block = 50;

/** So many numbers from `from` on, all of which come, without the first `skip` of them. Of each fifty, small seeds come first: they show most mistakes in a tenth of the time. */
export function* smallFirst(from: number, count: number, skip = 0): Generator<number> {
  for (let begin = from; begin < from + count; begin += block) {
    const numbers = Array.from({ length: Math.min(block, from + count - begin) }, (_, index) => begin + index);
    const costs = new Map(numbers.map((number) => [number, costOf(number)]));
    const ordered = numbers.toSorted((one, other) => costs.get(one)! - costs.get(other)!);
    yield* ordered.slice(Math.max(0, skip - (begin - from)));
  }
}

function costOf(number: number): number {
  const { shoots, weather } = drawPlan(number);
  return shoots * weather;
}
