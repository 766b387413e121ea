/**
 * What guarding healthy shoots costs the prober: CPU for each probe, how late its event loop is, and memory. The seed is
 * a process of its own, and the API servers of all shoots are one. Aims: at most 3 ms of CPU a probe at 100 nodes, 1,000 shoots on one core with the
 * event loop late by at most 50 ms (p99), at most 256 MiB.
 *
 * All shoots are probed for `--warm` seconds first: what is called often is still being compiled then, by V8's workers and for the main thread.
 * V8's workers are threads that compile, and collect garbage, beside the main one.
 *
 *     node packages/lab/bench/steady.ts [--shoots 1000] [--nodes 100] [--interval 10] [--warm 90] [--seconds 60] [--program sources,built]
 */
import { flags, say } from './support/flags.ts';
import { programsOf, asSources, ShippedProgram } from './support/shipped-program.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { proberConfig } from './support/config-file.ts';
import { forked } from './support/forked.ts';
import { lateSeconds, threadCostsOf, type ThreadCosts } from './support/process-cost.ts';
import type { ShootsCommands } from './support/shoots-process.ts';
import { StartedRole } from '../real/started-role.ts';
import { startSeed } from './support/started-seed.ts';

const {
  program: programs,
  shoots,
  nodes,
  interval,
  warm,
  seconds,
} = flags({ program: 'sources', shoots: 1_000, nodes: 100, interval: 10, warm: 90, seconds: 60 });
const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MiB`;

for (const program of programsOf(programs)) {
  say(`${program}: ${shoots} healthy shoots of ${nodes} nodes, probed every ${interval} s`);
  const cost = await measureSteady({ shoots, nodes, interval, warm, seconds, program });
  const [first, last] = cost.residentBytes;
  const perProbe = (cost.cpuSeconds * 1_000) / cost.probes;
  say(`memory before the first probe: ${mebibytes(first)}`);
  say(`probes: ${cost.probes} in ${cost.seconds.toFixed(0)} s, ${cost.failures} failed so far`);
  say(
    `CPU a probe: ${perProbe.toFixed(2)} ms (aim: 3); shoots on one core: ${((interval * 1.1 * 1_000) / perProbe).toFixed(0)}`,
  );
  if (cost.threads !== undefined) {
    const words = Object.entries(cost.threads).map(
      ([name, spent]) => `${name} ${((spent * 1_000) / cost.probes).toFixed(2)} ms`,
    );
    say(`CPU a probe by thread: ${words.join(', ')}`);
  }
  say(`mean duration of a probe: ${((cost.probeSeconds * 1_000) / cost.probes).toFixed(1)} ms`);
  say(`event loop late by: ${(cost.lateSeconds * 1_000).toFixed(0)} ms, p99 (aim: 50)`);
  say(`memory: ${mebibytes(last)} (aim: 256), of it heap ${mebibytes(cost.heapBytes)}`);
  const { seedRequests, seedLooks } = cost;
  say(
    `requests to the seed, its Lease aside: ${seedRequests} (aim: none but looks in calm, of which there were ${seedLooks}: one of each shoot in its first ten minutes, then one an hour)`,
  );
}

type SteadySize = Readonly<{
  shoots: number;
  nodes: number;
  /** From one probe to the next, how long all shoots are probed before, and how long the measure lasts. */
  interval: number;
  warm: number;
  seconds: number;
  program?: 'sources' | 'built';
}>;

/** What guarding healthy shoots took. */
type SteadyCost = Readonly<{
  seconds: number;
  probes: number;
  /** Since the start. */
  failures: number;
  cpuSeconds: number;
  /** Only on Linux. */
  threads: ThreadCosts | undefined;
  probeSeconds: number;
  /** The event loop, p99. */
  lateSeconds: number;
  /** Before the first probe, and at the end. */
  residentBytes: readonly [number, number];
  heapBytes: number;
  /** The Lease aside. */
  seedRequests: number;
  /** Of these the looks in calm: one an hour of each shoot, the first within ten minutes (SPEC 5.8). */
  seedLooks: number;
}>;

/** Runs the prober on healthy shoots: the seed is a process of its own, and the API servers of all shoots are one. */
async function measureSteady(size: SteadySize): Promise<SteadyCost> {
  const { shoots, nodes, interval, warm, seconds, program = 'sources' } = size;
  using shipped = program === 'built' ? await ShippedProgram.build() : undefined;
  using config = proberConfig({ interval: `${interval}s` });
  using elsewhere = await forked<ShootsCommands>('shoots-process.ts', [String(nodes)]);
  const { kubeconfig } = await elsewhere.reach();
  const configFile = config.path;
  using seed = await startSeed({ configFile, shoots, nodes: 0, elsewhere: kubeconfig });
  await using prober = await StartedRole.start('prober', {
    kubeconfig: seed.kubeconfig,
    configFile,
    ...(shipped?.asImage ?? asSources),
  });
  await prober.isReady();
  const known = await prober.metrics();
  // A seed's shoots came to be at any time, and so are their probes.
  await seed.reveal(interval * 1_000);
  await pause((1.5 * interval + warm) * 1_000);
  const [before, threads] = [await prober.metrics(), threadCostsOf(prober.pid)];
  const startedAt = Date.now();
  await pause(seconds * 1_000);
  const [after, threadsAfter] = [await prober.metrics(), threadCostsOf(prober.pid)];

  const is = (name: string): number => after[name] ?? NaN;
  const grown = (name: string): number => is(name) - (before[name] ?? NaN);
  const named = (start: string) => Object.entries(after).filter(([name]) => name.startsWith(start));
  const asked = (isMeant: (name: string) => boolean): number =>
    named('dwd_seed_api_requests_total')
      .filter(([name]) => isMeant(name))
      .reduce((sum, [name, count]) => sum + count - (before[name] ?? 0), 0);
  return {
    seconds: (Date.now() - startedAt) / 1_000,
    probes: grown('dwd_probe_duration_seconds_count'),
    failures: named('dwd_probe_failures_total').reduce((sum, [, count]) => sum + count, 0),
    cpuSeconds: grown('process_cpu_seconds_total'),
    threads: threads && threadsAfter && grownThreads(threads, threadsAfter),
    probeSeconds: grown('dwd_probe_duration_seconds_sum'),
    lateSeconds: lateSeconds(after),
    residentBytes: [known['process_resident_memory_bytes'] ?? NaN, is('process_resident_memory_bytes')],
    heapBytes: is('nodejs_heap_size_used_bytes'),
    seedRequests: asked((name) => !name.includes('leases')),
    seedLooks: asked((name) => name.includes('machines')),
  };
}

function grownThreads(before: ThreadCosts, after: ThreadCosts): ThreadCosts {
  const grown = Object.entries(after).map(([name, seconds]) => [name, seconds - before[name as keyof ThreadCosts]]);
  return Object.fromEntries(grown) as ThreadCosts;
}
