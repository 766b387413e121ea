/**
 * What the owner of a shoot can take from the others: for each way of attacking, the longest time between two probes of an
 * honest shoot, how late the event loop was at worst, the most memory, and how soon an honest shoot that is cut off at the
 * same time is written to. Prober, seed, and the hostile shoots' API server are processes of their own, at real time. Aims: a gap of
 * at most twice the undisturbed one, at most 64 MiB more, and no later decision.
 *
 *     node bench/hostile.ts [--hostile 1] [--honest 10] [--only 'WORDS OF A NAME'] [--seconds 18] [--generation leases|two-paths]
 *
 * With `two-paths` shoots are judged by two paths to their API server (SPEC 4.9), as both generations ask for `/version`: of the
 * attacks those that need another answer are left out. Cut off is then the external path, `decided` counts from its break on, and
 * the margin is what is left of 30 s, when a node could be marked at the earliest.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Instant } from '../src/domain/time.ts';
import { attacks } from '../test/support/attacks.ts';
import { ask } from './support/ask.ts';
import type { HostileOrder, HostileReport } from './support/hostile-orders.ts';
import { gardenerConfigFile } from './support/read-config.ts';
import { StartedRole } from './support/started-role.ts';

const { values } = parseArgs({
  options: {
    hostile: { type: 'string', default: '1' },
    honest: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '18' },
    generation: { type: 'string', default: 'leases' },
  },
});
const calm = 'nothing';
const hasTwoPaths = values.generation === 'two-paths';
const mebibyte = 1_048_576;

type Row = Readonly<{ gap: number; late: number; memory: number; decidedAfter: number; margin: number }>;

const dir = mkdtempSync(join(tmpdir(), 'dwd-bench-'));
const configFile = join(dir, 'config.yaml');
// Often enough that a gap shows within seconds, and in even steps.
const gardeners = readFileSync(gardenerConfigFile, 'utf8').replace(/^probeInterval:.*$/m, 'probeInterval: 2s');
const generation = hasTwoPaths
  ? gardeners.replace(
      /^kubeConfigSecretName:.*$/m,
      'internalKubeConfigSecretName: inside\nexternalKubeConfigSecretName: outside',
    )
  : gardeners;
writeFileSync(configFile, `initialDelay: 0s\nbackoffJitterFactor: 0\n${generation}`);
/** What a shoot that is asked for `/version` alone can do. */
const possible = attacks.filter(({ answers = {} }) => !hasTwoPaths || !('leases' in answers || 'nodes' in answers));
try {
  process.stdout.write(`${values.hostile} hostile of ${values.honest} honest shoots, probed every 2 s\n`);
  process.stdout.write(
    `${''.padEnd(50)}${['gap (s)', 'ratio', 'late (ms)', 'MiB', 'more', 'decided (ms)', 'margin (s)'].map((head) => head.padStart(13)).join('')}\n`,
  );
  const usual = await measured(calm);
  show(calm, usual, usual);
  for (const { name } of possible) if (name.includes(values.only)) show(name, await measured(name), usual);
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function measured(attack: string): Promise<Row> {
  using elsewhere = fork(join(import.meta.dirname, 'support/hostile-shoot-process.ts'), [attack]);
  const [{ kubeconfig }] = (await once(elsewhere, 'message')) as [{ kubeconfig: string }];
  using child = fork(join(import.meta.dirname, 'support/hostile-seed-process.ts'));
  const size = { honest: Number(values.honest), hostile: Number(values.hostile) };
  const seed = await tell(child, { order: 'start', configFile, ...size, attack, elsewhere: kubeconfig });
  const flags = ['--kube-api-qps=20', '--kube-api-burst=100'];
  await using prober = new StartedRole('prober', { kubeconfig: seed.kubeconfig, configFile, flags });
  await prober.line(({ msg }) => msg === 'the first lists of the seed are in');
  await pause(3_000);
  const since = Date.now();
  await prober.metrics();
  await tell(child, { order: 'cutOff' });
  let [late, memory] = [0, 0];
  let report = await tell(child, { order: 'report' });
  while (Date.now() < since + Number(values.seconds) * 1_000) {
    await pause(1_000);
    const seen = await prober.metrics();
    late = Math.max(late, (seen.get('nodejs_eventloop_lag_p99_seconds') ?? NaN) * 1_000);
    memory = Math.max(memory, (seen.get('process_resident_memory_bytes') ?? NaN) / mebibyte);
    report = await tell(child, { order: 'report' });
  }
  const { crossedAt = NaN, firstMarkAt = NaN, firstWriteAt = NaN } = report;
  return {
    gap: Math.max(...report.probes.map((asked) => longestGap(asked, since))),
    late,
    memory,
    decidedAfter: firstWriteAt - crossedAt,
    margin: (firstMarkAt - firstWriteAt) / 1_000,
  };
}

function longestGap(asked: readonly Instant[], since: Instant): number {
  const ends = [...asked.filter((at) => at >= since - 2_000), Date.now()];
  return Math.max(...ends.slice(1).map((at, place) => at - (ends[place] ?? at)));
}

function tell(child: ChildProcess, order: HostileOrder): Promise<HostileReport> {
  return ask(child, order);
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
  process.stdout.write(`${name.padEnd(50)}${cells.map((cell) => cell.padStart(13)).join('')}\n`);
}
