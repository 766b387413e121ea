/**
 * What the owner of a shoot can take from the others: for each way of attacking, the longest time between two probes of an
 * honest shoot, how late the event loop was at worst, the most memory, and how soon an honest shoot that is cut off at the
 * same time is written to. Prober, seed, and the hostile shoots' API server are processes of their own, at real time. Aims: a gap of
 * at most twice the undisturbed one, at most 64 MiB more, and no later decision.
 *
 *     node packages/lab/bench/hostile.ts [--hostile 1] [--honest 10] [--only 'WORDS OF A NAME'] [--seconds 18] [--generation leases|two-paths]
 *
 * With `two-paths` shoots are judged by two paths to their API server (SPEC 4.9), as both generations ask for `/version`: of the
 * attacks those that need another answer are left out. Cut off is then the external path, and `decided` counts from its break on.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { attacks } from '@dwd/testing/attacks.ts';
import { proberConfig } from './support/config-file.ts';
import { flags, say } from './support/flags.ts';
import { forked } from './support/forked.ts';
import { startSeed } from './support/started-seed.ts';
import type { ShootsCommands } from './support/shoots-process.ts';
import { StartedRole } from '../real/started-role.ts';
import { lateSeconds } from './support/process-cost.ts';
import { asSources } from './support/shipped-program.ts';

const { hostile, honest, only, seconds, generation } = flags({
  hostile: 1,
  honest: 10,
  only: '',
  seconds: 18,
  generation: 'leases',
});
const calm = 'nothing';
const hasTwoPaths = generation === 'two-paths';
const mebibyte = 1_048_576;

type Row = Readonly<{ gap: number; late: number; memory: number; decidedAfter: number; margin: number }>;

// Often enough that a gap shows within seconds, and in even steps.
using config = proberConfig({ interval: '2s', twoPaths: hasTwoPaths, jitterFactor: 0 });
const configFile = config.path;
/** What a shoot that is asked for `/version` alone can do. */
const possible = attacks.filter(({ answers = {} }) => !hasTwoPaths || !('leases' in answers || 'nodes' in answers));
say(`${hostile} hostile of ${honest} honest shoots, probed every 2 s`);
const heads = ['gap (s)', 'ratio', 'late (ms)', 'MiB', 'more', 'decided (ms)', 'margin (s)'];
say(`${''.padEnd(50)}${heads.map((head) => head.padStart(13)).join('')}`);
const usual = await measured(calm);
show(calm, usual, usual);
for (const { name } of possible) if (name.includes(only)) show(name, await measured(name), usual);

async function measured(attack: string): Promise<Row> {
  const nodes = 5;
  using others = await forked<ShootsCommands>('shoots-process.ts', [String(nodes), attack]);
  const { kubeconfig: elsewhere } = await others.reach();
  const size = { shoots: honest, nodes, hostile: { shoots: hostile, attack, elsewhere } };
  using seed = await startSeed({ configFile, ...size });
  const { kubeconfig } = seed;
  const limits = ['--kube-api-qps=20', '--kube-api-burst=100'];
  await using prober = await StartedRole.start('prober', { kubeconfig, configFile, flags: limits, ...asSources });
  await prober.isReady();
  await pause(3_000);
  const since = Date.now();
  await prober.metrics();
  // The third of five leases expires after some eleven seconds, at three quarters of the grace.
  await seed.cutOff({ shoots: 1, ...(hasTwoPaths ? { path: 'cut' } : { ages: [16_000, 22_000] }) });
  let [late, memory] = [0, 0];
  while (Date.now() < since + seconds * 1_000) {
    await pause(1_000);
    const seen = await prober.metrics();
    late = Math.max(late, lateSeconds(seen) * 1_000);
    memory = Math.max(memory, (seen['process_resident_memory_bytes'] ?? NaN) / mebibyte);
  }
  const { asked, outages } = await seed.report(since);
  const [outage] = outages;
  const { crossedAt = NaN, firstMarkAt = NaN, firstWriteAt = NaN } = outage ?? {};
  return {
    gap: asked.longestGap,
    late,
    memory,
    decidedAfter: firstWriteAt - crossedAt,
    margin: (firstMarkAt - firstWriteAt) / 1_000,
  };
}

function show(name: string, { gap, late, memory, decidedAfter, margin }: Row, usual: Row): void {
  const cells = [
    (gap / 1_000).toFixed(2),
    (gap / usual.gap).toFixed(2),
    late.toFixed(0),
    memory.toFixed(0),
    (memory - usual.memory).toFixed(0),
    decidedAfter.toFixed(0),
    margin.toFixed(1),
  ];
  say(`${name.padEnd(50)}${cells.map((cell) => cell.padStart(13)).join('')}`);
}
