/**
 * What guarding healthy shoots costs the prober: CPU for each probe, how late its event loop is, and memory. The seed is
 * a process of its own, and the API servers of all shoots are one. Aims: at most 3 ms of CPU a probe at 100 nodes, 1,000 shoots on one core with the
 * event loop late by at most 50 ms (p99), at most 256 MiB.
 *
 *     node bench/steady.ts [--shoots 1000] [--nodes 100] [--interval 10] [--seconds 60]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gardenerConfigFile } from './support/read-config.ts';
import { StartedRole } from './support/started-role.ts';
import { startSeed } from './support/started-seed.ts';

const { values } = parseArgs({
  options: {
    shoots: { type: 'string', default: '1000' },
    nodes: { type: 'string', default: '100' },
    interval: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '60' },
  },
});
const [shoots, nodes, interval, seconds] = [values.shoots, values.nodes, values.interval, values.seconds].map(
  Number,
) as [number, number, number, number];
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const mebibytes = (bytes: number | undefined): string => `${((bytes ?? NaN) / 1_048_576).toFixed(0)} MiB`;

const dir = mkdtempSync(join(tmpdir(), 'dwd-bench-'));
const configFile = join(dir, 'config.yaml');
const gardeners = readFileSync(gardenerConfigFile, 'utf8').replace(
  /^probeInterval:.*$/m,
  `probeInterval: ${interval}s`,
);
writeFileSync(configFile, `initialDelay: 0s\n${gardeners}`);
try {
  using elsewhere = fork(join(import.meta.dirname, 'support/shoots-process.ts'), [String(nodes)]);
  const [{ kubeconfig }] = (await once(elsewhere, 'message')) as [{ kubeconfig: string }];
  using seed = await startSeed({ configFile, shoots, nodes: 0, elsewhere: kubeconfig });
  say(`${shoots} healthy shoots of ${nodes} nodes, probed every ${interval} s`);
  const flags = ['--kube-api-qps=20', '--kube-api-burst=100', '--enable-leader-election=true'];
  await using prober = new StartedRole('prober', { kubeconfig: seed.kubeconfig, configFile, flags });
  await prober.line(({ msg }) => msg === 'the first lists of the seed are in');
  const known = await prober.metrics();
  say(`memory before the first probe: ${mebibytes(known.get('process_resident_memory_bytes'))}`);

  // A seed's shoots came to be at any time, and so are their probes.
  await seed.reveal(interval * 1_000);
  await pause(2.5 * interval * 1_000);
  const before = await prober.metrics();
  const startedAt = Date.now();
  await pause(seconds * 1_000);
  const after = await prober.metrics();
  const passed = (Date.now() - startedAt) / 1_000;

  const grown = (name: string): number => (after.get(name) ?? NaN) - (before.get(name) ?? NaN);
  const probes = grown('dwd_probe_duration_seconds_count');
  const cpu = grown('process_cpu_seconds_total');
  const perProbe = (cpu * 1_000) / probes;
  const late = (after.get('nodejs_eventloop_lag_p99_seconds') ?? NaN) * 1_000;
  const failures = [...after].filter(([name]) => name.startsWith('dwd_probe_failures_total'));
  say(
    `probes: ${probes} in ${passed.toFixed(0)} s, ${failures.reduce((sum, [, count]) => sum + count, 0)} failed so far`,
  );
  say(
    `CPU a probe: ${perProbe.toFixed(2)} ms (aim: 3); shoots on one core: ${((interval * 1.1 * 1_000) / perProbe).toFixed(0)}`,
  );
  say(`mean duration of a probe: ${((grown('dwd_probe_duration_seconds_sum') * 1_000) / probes).toFixed(1)} ms`);
  say(`event loop late by: ${late.toFixed(0)} ms, p99 (aim: 50)`);
  say(
    `memory: ${mebibytes(after.get('process_resident_memory_bytes'))} (aim: 256), of it heap ${mebibytes(after.get('nodejs_heap_size_used_bytes'))}`,
  );
  const asked = [...after].filter(
    ([name]) => name.startsWith('dwd_seed_api_requests_total') && !name.includes('leases'),
  );
  say(
    `requests to the seed, its Lease aside: ${asked.reduce((sum, [name, count]) => sum + count - (before.get(name) ?? 0), 0)}`,
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}
