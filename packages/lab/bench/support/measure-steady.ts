import { setTimeout as pause } from 'node:timers/promises';
import { proberConfig } from './config-file.ts';
import { forked } from './forked.ts';
import { lateSeconds, threadCostsOf, type ThreadCosts } from './process-cost.ts';
import type { ShootsCommands } from './shoots-process.ts';
import { asSources, ShippedProgram } from './shipped-program.ts';
import { StartedRole } from '../../real/started-role.ts';
import { startSeed } from './started-seed.ts';

export type SteadySize = Readonly<{
  shoots: number;
  nodes: number;
  /** From one probe to the next, how long all shoots are probed before, and how long the measure lasts. */
  interval: number;
  warm: number;
  seconds: number;
  program?: 'sources' | 'built';
}>;

/** What guarding healthy shoots took. */
export type SteadyCost = Readonly<{
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
export async function measureSteady(size: SteadySize): Promise<SteadyCost> {
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
