import { watchCharts } from './coverage/chart-coverage.ts';
import { drawPlan } from './draw-plan.ts';
import { laws } from './laws.ts';
import type { BrokenLaw } from './law.ts';
import { live } from './life.ts';
import { counting, emptyTally, type Tally } from './tally.ts';

/** What a number came to. */
export type Lived = Readonly<{ number: number; broken: BrokenLaw | undefined; tally: Tally }>;

/** Lives the number that belongs to a plan. */
export async function liveNumber(number: number): Promise<Lived> {
  const plan = drawPlan(number);
  const tally = emptyTally();
  const count = counting(tally);
  const watch = watchCharts(tally.charts);
  const { broken, length, judged } = await live(plan, {
    laws,
    observe(seen) {
      count(seen);
      watch(seen);
    },
  });
  return { number, broken, tally: { ...tally, judged, lives: 1, lengthMs: length, shootMs: length * plan.shoots } };
}
