/**
 * How much faster than real time whole simulated seeds live, on one core, by CPU time: prober, weeder, API servers, kubelets and every law.
 * Aim: 1,000 times for a seed of 20 shoots with faults.
 *
 *     node bench/soak.ts [--lives 4] [--shoots 1,8,20]
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { drawPlan } from '../test/soak/draw-plan.ts';
import { laws } from '../test/soak/laws.ts';
import { live } from '../test/soak/life.ts';
import { fairWeather } from '../test/soak/link-weather.ts';
import type { SeedPlan } from '../test/soak/seed-plan.ts';

const { values } = parseArgs({
  options: { lives: { type: 'string', default: '4' }, shoots: { type: 'string', default: '1,8,20' } },
});
const numbers = Array.from({ length: Number(values.lives) }, (_, index) => 1_000 + index);

const calm = (plan: SeedPlan): SeedPlan => ({
  ...plan,
  links: { seed: fairWeather, shoot: fairWeather },
  happenings: [],
});

for (const shoots of values.shoots.split(',').map(Number)) {
  await measure(`${shoots} shoots, calm`, (number) => calm(drawPlan(number, { shoots })));
  await measure(`${shoots} shoots, every fault`, (number) => drawPlan(number, { shoots }));
}

async function measure(what: string, planOf: (number: number) => SeedPlan): Promise<void> {
  let simulated = 0;
  const began = process.cpuUsage();
  for (const number of numbers) {
    const { length, broken } = await live(planOf(number), { laws });
    if (broken !== undefined) throw new Error(`number ${number} breaks ${broken.law}: ${broken.why}`);
    simulated += length;
  }
  const { user, system } = process.cpuUsage(began);
  const times = simulated / ((user + system) / 1_000);
  process.stdout.write(`${what}: ${Math.round(times).toLocaleString('en')} times real time on one core\n`);
}
