/**
 * All services of a seed come back at once, each with several selectors and crash-looping dependants: how soon each of
 * them is deleted, what it costs the weeder, and that nothing else is deleted and nothing twice. The seed and the weeder
 * are processes of their own, at real time. Aim: 3 s to the last deletion, 200 MiB. Beside it runs a bare loop of the same
 * requests on a seed of its own, once with the watches and once without.
 *
 *     node packages/lab/bench/weeding-all.ts [--services 250] [--qps 20] [--burst 100] [--program sources]
 */
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { BareWeederCommands } from './support/bare-weeder-process.ts';
import { distributionOf } from './support/distribution.ts';
import { flags, say } from './support/flags.ts';
import { forked } from './support/forked.ts';
import { programsOf, asSources, ShippedProgram } from './support/shipped-program.ts';
import { StartedRole } from '../real/started-role.ts';
import { lateSeconds, memoryWords } from './support/process-cost.ts';
import { startWeededSeed, type StartedWeededSeed, type WeededSeedReport } from './support/started-seed.ts';

const { services, qps, burst, program } = flags({ services: 250, qps: 20, burst: 100, program: 'sources' });
const isBuilt = programsOf(program).includes('built');
/** Of each service, in the configuration. */
const selectors = 3;
const configFile = join(import.meta.dirname, 'support/weeder-several-selectors.yaml');
/** By then a deletion that came twice, or of what was not due, would have come. */
const aftermath = 3_000;
const longest = 60_000;

using shipped = isBuilt ? await ShippedProgram.build() : undefined;
const { start } = shipped?.asImage ?? asSources;
const cpuSeconds = await measureOurs();
for (const watches of [true, false]) {
  using seed = await startCrowd();
  const bare = await measureBare(seed, watches);
  const what = watches ? 'list, watch, DELETE' : 'list, DELETE';
  say(
    `a bare loop (${what}): ${bare.seconds.toFixed(1)} s, ${bare.deletions} deletions, ${bare.cpuSeconds.toFixed(2)} s of CPU, ${bare.resident.map((bytes) => (bytes / 1_048_576).toFixed(0)).join(' to ')} MiB; ` +
      `the weeder takes ${(cpuSeconds / bare.cpuSeconds).toFixed(2)} times as much`,
  );
}

function startCrowd(): Promise<StartedWeededSeed> {
  return startWeededSeed({ namespaces: services, forsaken: 10, services: ['kube-apiserver'], available: false });
}

/** Answers the weeder's seconds of CPU from the recovery to the last deletion, and the aftermath. */
async function measureOurs(): Promise<number> {
  using seed = await startCrowd();
  const limits = [`--kube-api-qps=${qps}`, `--kube-api-burst=${burst}`, '--enable-leader-election=true'];
  await using weeder = await StartedRole.start('weeder', {
    kubeconfig: seed.kubeconfig,
    configFile,
    flags: limits,
    start,
  });
  await weeder.lineThat(({ leadership }) => leadership === 'leading');
  await weeder.isReady();
  await pause(2_000);

  const before = await weeder.metrics();
  let { recoveries, cpuSeconds: seedBefore, requests: known } = await seed.recoverAll();
  const giveUpAt = Date.now() + longest;
  while (recoveries.some(({ left }) => left > 0) && Date.now() < giveUpAt) {
    await pause(250);
    ({ recoveries } = await seed.report());
  }
  // One watch more is the EndpointSlices'. Each namespace has one service.
  while ((await seed.report()).watches <= services && Date.now() < giveUpAt) await pause(100);
  const watchedAt = Date.now();
  await pause(aftermath);
  const after = await weeder.metrics();
  const report = await seed.report();
  show(report, known, watchedAt);
  const grown = (name: string): number => (after[name] ?? NaN) - (before[name] ?? NaN);
  const cpu = grown('process_cpu_seconds_total');
  say(
    `CPU: the weeder ${cpu.toFixed(2)} s, ${((cpu * 1_000) / services).toFixed(1)} ms a service; the seed ${(report.cpuSeconds - seedBefore).toFixed(2)} s`,
  );
  say(`event loop late by: ${(lateSeconds(after) * 1_000).toFixed(0)} ms, p99`);
  say(`memory: ${memoryWords(before)}; with all windows open ${memoryWords(after)}`);
  const held = grown('dwd_seed_requests_held_total{by="rate",lane="urgent"}');
  say(
    `requests that waited for the rate limit: ${held}; connections: ${report.openConnections} open, ${report.madeConnections} made`,
  );
  return cpu;
}

function show(
  { recoveries, requests, mistakes }: WeededSeedReport,
  known: WeededSeedReport['requests'],
  watchedAt: Instant,
): void {
  const deletions = recoveries.flatMap(({ deletedAt }) => deletedAt);
  const left = recoveries.reduce((sum, recovery) => sum + recovery.left, 0);
  const began = Math.min(...recoveries.map(({ availableAt }) => availableAt));
  const whole = (Math.max(...deletions) - began) / 1_000;
  say(
    `${services} services of ${selectors} selectors each, available at once; ${deletions.length} dependants deleted, ${left} left`,
  );
  say(
    `to the last deletion: ${whole.toFixed(1)} s (aim: 3); to the last watch: ${((watchedAt - began) / 1_000).toFixed(1)} s`,
  );
  const row = (what: string, pick: (at: readonly number[]) => number | undefined): void => {
    const waits = recoveries.flatMap(({ availableAt, deletedAt }) => (pick(deletedAt) ?? NaN) - availableAt);
    const { median, p99, worst } = distributionOf(waits.filter((wait) => !Number.isNaN(wait)));
    say(`${what.padEnd(34)}${[median, p99, worst].map((one) => one.toFixed(0).padStart(8)).join('')}`);
  };
  say(`${'of each service, ms'.padEnd(34)}  median     p99   worst`);
  row('to its first deletion', (at) => at[0]);
  row('to its last deletion', (at) => at.at(-1));
  const asked = Object.entries(requests).map(([what, count]) => [what, count - (known[what] ?? 0)] as const);
  say(
    `requests: ${asked
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}`,
  );
  for (const mistake of mistakes) say(mistake);
  if (mistakes.length > 0 || left > 0) process.exitCode = 1;
}

async function measureBare({ kubeconfig, namespaces, recoverAll }: StartedWeededSeed, watches: boolean) {
  using bare = await forked<BareWeederCommands>('bare-weeder-process.ts');
  await recoverAll();
  return await bare.weed({ kubeconfig, configFile, namespaces, watches, qps, burst });
}
