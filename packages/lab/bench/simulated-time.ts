/**
 * How much faster than real time the simulation of the tests runs: the real runtime, effects and machine over a shoot in
 * memory, on a virtual clock. Aim: 10,000 times.
 *
 *     node packages/lab/bench/simulated-time.ts [--seconds 5]
 */
import { performance } from 'node:perf_hooks';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { flags } from './support/flags.ts';

const { seconds } = flags({ seconds: 5 });
const atLeast = (seconds / 2) * 1_000;
const hour: Millis = 3_600_000;

await measure('calm', async (guarded) => {
  await guarded.pass(hour);
});
await measure('an outage every 5 minutes', async (guarded) => {
  for (let outage = 0; outage < 12; outage += 1) {
    guarded.world.cutOff();
    await guarded.pass(120_000);
    guarded.world.heal();
    await guarded.pass(180_000);
  }
});

/** Lets simulated hours pass until enough real time has passed. */
async function measure(what: string, liveAnHour: (guarded: GuardedWorld) => Promise<void>): Promise<void> {
  const guarded = new GuardedWorld(gardenerConfig);
  await guarded.pass(120_000);
  const virtualStart = guarded.clock.now();
  const realStart = performance.now();
  let turns = 0;
  while (performance.now() - realStart < atLeast) {
    await liveAnHour(guarded);
    turns += guarded.turns.length;
    guarded.turns.length = 0;
  }
  const real = performance.now() - realStart;
  const times = (guarded.clock.now() - virtualStart) / real;
  process.stdout.write(
    `${what}: ${Math.round(times).toLocaleString('en')} times real time (aim: 10,000), ${((real * 1_000) / turns).toFixed(0)} µs a turn\n`,
  );
  guarded.stop();
}
