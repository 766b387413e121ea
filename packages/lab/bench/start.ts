/**
 * How long the program takes to say its help and to be ready, from the sources and built as it ships, and how long a seed is without a
 * prober when the leader ends or crashes. Aims, built: help within 0.35 s, ready within 1 s; gone within the 5 s that Gardener grants
 * (SPEC 1.4); the next leader probes within 3 s of a graceful end, and within 20 s of a crash.
 *
 *     node packages/lab/bench/start.ts [--shoots 100] [--starts 7] [--program sources,built]
 */
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { gardenerConfigFile } from './support/config-file.ts';
import { distributionOf } from './support/distribution.ts';
import { flags, say } from './support/flags.ts';
import { asSources, programsOf, ShippedProgram, shippedFlags } from './support/shipped-program.ts';
import { StartedRole } from '../real/started-role.ts';
import { startSeed } from './support/started-seed.ts';

const { shoots, starts: count, program: programs } = flags({ shoots: 100, starts: 7, program: 'sources,built' });
const configFile = gardenerConfigFile;
const election = '--enable-leader-election=true';

using seed = await startSeed({ configFile, shoots, nodes: 5 });
const { kubeconfig } = seed;

using shipped = await ShippedProgram.build();
const built = [...shippedFlags, shipped.file];

for (const program of programsOf(programs)) {
  const start = program === 'built' ? built : asSources.start;
  const bare: number[] = [];
  const helps: number[] = [];
  const starts: number[] = [];
  for (let number = 0; number < count; number += 1) {
    bare.push(timeOf(['-e', '0']));
    helps.push(timeOf([...start, 'prober', '--help']));
    await using prober = await StartedRole.start('prober', { kubeconfig, configFile, flags: [], start });
    await prober.isReady();
    starts.push(Date.now() - prober.startedAt);
  }
  const node = distributionOf(bare).median;
  for (const [what, times, aim] of [
    ['prober --help', helps, 350],
    [`from start to ready, ${shoots} shoots`, starts, 1_000],
  ] as const) {
    const { median, worst } = distributionOf(times);
    const ratio = `${(median / node).toFixed(1)} times a bare node's ${node.toFixed(0)} ms`;
    say(`${program}, ${what}: median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms (aim: ${aim}); ${ratio}`);
  }
}

for (const [how, signal, aim] of [
  ['a graceful end', 'SIGTERM', 3],
  ['a crash', 'SIGKILL', 20],
] as const) {
  await using leader = await StartedRole.start('prober', { kubeconfig, configFile, flags: [election], start: built });
  await leader.lineThat(({ leadership }) => leadership === 'leading');
  await using standby = await StartedRole.start('prober', { kubeconfig, configFile, flags: [election], start: built });
  await standby.isReady();
  // Long enough for the standby to have seen the Lease being renewed.
  await pause(3_000);
  leader.kill(signal);
  const endedAt = Date.now();
  const ended = leader.ended.then(() => Date.now() - endedAt);
  await standby.lineThat(({ leadership }) => leadership === 'leading');
  const at = Date.now();
  await standby.lineThat(({ to }) => to === 'probing');
  if (signal === 'SIGTERM')
    say(`from SIGTERM to the end of the process: ${((await ended) / 1_000).toFixed(1)} s (Gardener grants: 5)`);
  say(
    `after ${how}: the next one leads after ${((at - endedAt) / 1_000).toFixed(1)} s and has probed after ${((Date.now() - endedAt) / 1_000).toFixed(1)} s (aim: ${aim})`,
  );
}

/** In milliseconds. */
function timeOf(words: readonly string[]): number {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, words);
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}`);
  return performance.now() - began;
}
