/**
 * Lives numbers until a law breaks or the time is up, and writes the outcome as one line of JSON. It runs in a copy of the checkout with a
 * slip in it, as a process of its own, so that a life without an end can be ended.
 */
import process from 'node:process';
import { drawPlan, smallFirst } from '../draw-plan.ts';
import { laws } from '../laws.ts';
import { live } from '../life.ts';
import type { Hunted } from './play.ts';

const [from = '1', seconds = '300', count = 'Infinity', skip = '0'] = process.argv.slice(2);
const until = performance.now() + Number(seconds) * 1_000;

let simulated = 0;
let lives = 0;
let outcome: Hunted | undefined;
for (const number of smallFirst(Number(from), Number(count), Number(skip))) {
  // Whoever has to end this process reads there which life had no end.
  process.stderr.write(`life ${number}\n`);
  const { broken, length } = await live(drawPlan(number), { laws });
  simulated += length;
  lives += 1;
  if (broken !== undefined) outcome = { found: true, number, law: broken.law, why: broken.why, lives, simulated };
  if (outcome !== undefined || performance.now() >= until) break;
}
process.stdout.write(`${JSON.stringify(outcome ?? { found: false, lives, simulated })}\n`);
process.exit(0);
