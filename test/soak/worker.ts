import { parentPort } from 'node:worker_threads';
import { drawPlan } from './draw-plan.ts';
import { laws } from './laws.ts';
import type { BrokenLaw } from './law.ts';
import { live } from './life.ts';
import { counting, emptyTally, type Tally } from './tally.ts';

/** What a worker tells of one number. */
export type Lived = Readonly<{ number: number; broken: BrokenLaw | undefined; tally: Tally }>;

/** Lives the number that belongs to a plan. */
export async function liveNumber(number: number): Promise<Lived> {
  const plan = drawPlan(number);
  const tally = emptyTally();
  const { broken, length, judged } = await live(plan, { laws, observe: counting(tally) });
  return { number, broken, tally: { ...tally, judged, lives: 1, lengthMs: length, shootMs: length * plan.shoots } };
}

parentPort?.on('message', (number: number) => {
  void liveNumber(number).then(
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    (lived) => parentPort?.postMessage(lived),
    (error: unknown) => {
      throw error;
    },
  );
});
