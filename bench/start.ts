/**
 * How long the program takes to be ready, and how long a seed is without a prober when the leader ends or crashes. Aims:
 * ready within 1.5 s; gone within the 5 s that Gardener grants (SPEC 1.4); the next leader probes within 3 s of a graceful end,
 * and within 20 s of a crash.
 *
 *     node bench/start.ts [--shoots 100] [--starts 7]
 */
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { distributionOf } from './support/distribution.ts';
import { gardenerConfigFile } from './support/read-config.ts';
import { StartedRole } from './support/started-role.ts';
import { startSeed } from './support/started-seed.ts';

const { values } = parseArgs({
  options: { shoots: { type: 'string', default: '100' }, starts: { type: 'string', default: '7' } },
});
const shoots = Number(values.shoots);
const configFile = gardenerConfigFile;
const election = '--enable-leader-election=true';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

using seed = await startSeed({ configFile, shoots, nodes: 5 });
const { kubeconfig } = seed;

const starts: number[] = [];
const bare: number[] = [];
for (let start = 0; start < Number(values.starts); start += 1) {
  const began = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  bare.push(performance.now() - began);
  await using prober = new StartedRole('prober', { kubeconfig, configFile });
  await prober.line(({ msg }) => msg === 'the first lists of the seed are in');
  starts.push(Date.now() - prober.startedAt);
}
const [own, node] = [distributionOf(starts), distributionOf(bare)];
say(
  `from start to ready, ${shoots} shoots: median ${own.median} ms, worst ${own.worst} ms (aim: 1500); ` +
    `${(own.median / node.median).toFixed(1)} times a bare node's ${node.median.toFixed(0)} ms`,
);

for (const [how, signal, aim] of [
  ['a graceful end', 'SIGTERM', 3],
  ['a crash', 'SIGKILL', 20],
] as const) {
  await using leader = new StartedRole('prober', { kubeconfig, configFile, flags: [election] });
  await leader.line(({ leadership }) => leadership === 'leading');
  await using standby = new StartedRole('prober', { kubeconfig, configFile, flags: [election] });
  await standby.line(({ msg }) => msg === 'the first lists of the seed are in');
  // Long enough for the standby to have seen the Lease being renewed.
  await pause(3_000);
  leader.kill(signal);
  const endedAt = Date.now();
  const ended = leader.ended().then(() => Date.now() - endedAt);
  const { at } = await standby.line(({ leadership }) => leadership === 'leading');
  await standby.line(({ to }) => to === 'probing');
  if (signal === 'SIGTERM')
    say(`from SIGTERM to the end of the process: ${((await ended) / 1_000).toFixed(1)} s (Gardener grants: 5)`);
  say(
    `after ${how}: the next one leads after ${((at - endedAt) / 1_000).toFixed(1)} s and has probed after ${((Date.now() - endedAt) / 1_000).toFixed(1)} s (aim: ${aim})`,
  );
}
