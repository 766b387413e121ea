import { between, chanceOf, oneOf, strikes } from './chance-of.ts';
import { deployedConfig, drawProberConfig } from './draw-config.ts';
import type { Happening } from './happening.ts';
import { happeningKinds } from './happenings.ts';
import { shootNames } from './happenings/outages.ts';
import { fairWeather, type LinkWeather } from './link-weather.ts';
import type { SeedPlan, SeedShape } from './seed-plan.ts';

const gardenerWeeder = deployedConfig('weeder');

/** The life that belongs to a number: the same one, wherever and whenever it is drawn. `instead` is in the place of what was drawn. */
export function drawPlan(number: number, instead: Readonly<Partial<SeedShape>> = {}): SeedPlan {
  const shape = { ...drawShape(number), ...instead };
  const happenings = happeningKinds.flatMap((kind, index) => {
    const chance = chanceOf(number, `happening ${index}`);
    const subjects = kind.of === 'seed' ? [''] : shootNames(shape.shoots);
    return subjects.flatMap((shoot) => {
      const drawn: Happening[] = [];
      const mean = 3_600_000 / kind.hourly(shape);
      for (let at = wait(chance, mean); at < shape.weather; at += wait(chance, mean))
        drawn.push(...kind.draw(chance, shape, Math.round(at), shoot));
      return drawn;
    });
  });
  const inTime = happenings.filter(({ at }) => at < shape.weather);
  return { ...shape, happenings: inTime.toSorted((one, other) => one.at - other.at) };
}

function drawShape(number: number): SeedShape {
  const chance = chanceOf(number, 'shape');
  const shoots = oneOf(chance, [1, 2, 3, 5, 8]);
  const weeders = strikes(chanceOf(number, 'second weeder'), 0.5) ? 2 : 1;
  // One prober without an election has no Lease that shows a restore. So such a seed mostly has one, and two servers, one of which may miss it.
  const isAlone = strikes(chanceOf(number, 'alone'), 0.15);
  const likely = isAlone ? 0.9 : 0.5;
  const { yaml, twoPaths } = drawProberConfig(number);
  const hostFails = strikes(chanceOf(number, 'host'), 0.2);
  return {
    number,
    // A seed of many shoots costs as much as many seeds, so it comes seldom.
    shoots: strikes(chanceOf(number, 'many shoots'), 0.05) ? 20 : shoots,
    // More than a page of a list has.
    asleep: strikes(chanceOf(number, 'asleep'), 0.2) ? 25 : 0,
    nodes: between(chance, 1, 6),
    proberConfig: yaml,
    twoPaths,
    dependantReplicas: [1, 1, 2, 3],
    weederConfig: gardenerWeeder,
    largeControlPlanes: strikes(chanceOf(number, 'control planes'), 0.3),
    replicas: { prober: strikes(chance, 0.6) && !isAlone ? 2 : 1, weeder: strikes(chance, 0.3) ? weeders : 0 },
    election: strikes(chance, 0.8) && !isAlone,
    weather: between(chance, 20, 60) * 60_000,
    qps: oneOf(chanceOf(number, 'rate'), [20, 20, 20, 20, -1]),
    restores: strikes(chanceOf(number, 'restores'), likely),
    // Gardener's is 10 min.
    machineHealthTimeout: oneOf(chanceOf(number, 'machine health'), [60_000, 180_000, 600_000]),
    journals: hostFails || strikes(chanceOf(number, 'journals'), 0.25),
    hostFails,
    servers: strikes(chanceOf(number, 'servers'), likely) ? 2 : 1,
    links: { seed: drawWeather(chance), shoot: drawWeather(chance) },
    clocks: { ahead: strikes(chance, 0.5) ? 0 : 2_000, drift: strikes(chance, 0.5) ? 0 : 0.0005 },
  };
}

/** A third of all lives have fair weather, so that what other faults do can be seen. */
function drawWeather(chance: () => number): LinkWeather {
  if (strikes(chance, 1 / 3)) return fairWeather;
  const rate = (most: number): number => (strikes(chance, 0.4) ? chance() * most : 0);
  return {
    there: [1, between(chance, 5, 150)],
    refused: rate(0.05),
    lost: rate(0.05),
    unanswered: rate(0.05),
    doubled: rate(0.05),
    status: rate(0.05),
    garbled: rate(0.03),
    truncated: rate(0.03),
    slow: rate(0.03),
    watchLag: [1, strikes(chance, 0.3) ? between(chance, 500, 8_000) : 50],
    watchSilent: rate(0.3),
    watchCut: rate(0.3),
    withoutBookmarks: rate(0.5),
  };
}

/** Until the next of things that come so often on average. */
function wait(chance: () => number, mean: number): number {
  return -Math.log(1 - chance()) * mean;
}
