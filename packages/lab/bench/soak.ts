/**
 * How much faster than real time whole simulated seeds live, on one core, by CPU time: prober, weeder, API servers, kubelets and every law.
 * Aim: 1,000 times for a seed of 20 shoots with faults.
 *
 *     node packages/lab/bench/soak.ts [--lives 4] [--shoots 1,8,20] [--asleep 0] [--warm 2]
 *
 * A fifth of the seeds of a soak has 25 sleeping shoots more. Here each has as many as `--asleep` says, so that a seed of 20 shoots has 20.
 *
 * Node compiles what is hot while the first lives go on, which costs nearly as much as these lives themselves. A soak goes on for an hour, so
 * so many lives of each kind are lived before it is measured; `--warm 0` shows what a short run has.
 */
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';
import { drawPlan } from '../soak/draw-plan.ts';
import { laws } from '../soak/laws.ts';
import { live } from '../soak/life.ts';
import { lifeThread } from '../soak/life-thread.ts';
import { fairWeather, type SeedPlan } from '../soak/seed-plan.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { flags } from './support/flags.ts';

const { lives, shoots: counts, asleep, warm: warming } = flags({ lives: 4, shoots: '1,8,20', asleep: 0, warm: 2 });
const numbers = Array.from({ length: lives }, (_, index) => 1_000 + index);

const calm = (plan: SeedPlan): SeedPlan => ({
  ...plan,
  links: { seed: fairWeather, shoot: fairWeather },
  happenings: [],
});

if (isMainThread) lifeThread(new URL(import.meta.url), { argv: process.argv.slice(2) });
else await measureAll();

async function measureAll(): Promise<void> {
  for (const shoots of counts.split(',').map(Number)) {
    await measure(`${shoots} shoots, calm`, (number) => calm(drawPlan(number, { shoots, asleep })));
    await measure(`${shoots} shoots, every fault`, (number) => drawPlan(number, { shoots, asleep }));
  }
}

async function measure(what: string, planOf: (number: number) => SeedPlan): Promise<void> {
  for (let warm = 0; warm < warming; warm += 1) await lengthOf(planOf(900 + warm));
  let simulated = 0;
  const began = process.cpuUsage();
  for (const number of numbers) simulated += await lengthOf(planOf(number));
  const { user, system } = process.cpuUsage(began);
  const times = simulated / ((user + system) / 1_000);
  process.stdout.write(`${what}: ${Math.round(times).toLocaleString('en')} times real time on one core\n`);
}

async function lengthOf(plan: SeedPlan): Promise<Millis> {
  const { length, broken } = await live(plan, { laws });
  if (broken !== undefined) throw new Error(`number ${plan.number} breaks ${broken.law}: ${broken.why}`);
  return length;
}
