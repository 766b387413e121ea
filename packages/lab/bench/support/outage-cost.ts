import type { StartedRole } from '../../real/started-role.ts';
import { lateSeconds } from './process-cost.ts';
import type { StartedSeed } from './started-seed.ts';

/** What a while of an outage took: of the prober, and of the seed with all its shoots. */
export type OutageCost = Readonly<{
  seconds: number;
  cpuSeconds: number;
  probes: number;
  /** The prober's event loop, p99. */
  lateSeconds: number;
  seed: Readonly<{ cpuSeconds: number; busySeconds: number; requests: number }>;
  shootRequests: number;
}>;

/** Answers what it took from now on, as often as it is asked. */
export async function outageCostFrom(seed: StartedSeed, prober: StartedRole): Promise<() => Promise<OutageCost>> {
  const startedAt = Date.now();
  const [before, was] = [await prober.metrics(), await seed.report()];
  return async () => {
    const [after, is] = [await prober.metrics(), await seed.report()];
    const grown = (name: string): number => (after[name] ?? NaN) - (before[name] ?? NaN);
    return {
      seconds: (Date.now() - startedAt) / 1_000,
      cpuSeconds: grown('process_cpu_seconds_total'),
      probes: grown('dwd_probe_duration_seconds_count'),
      lateSeconds: lateSeconds(after),
      seed: {
        cpuSeconds: is.cpuSeconds - was.cpuSeconds,
        busySeconds: (is.busyMillis - was.busyMillis) / 1_000,
        requests: is.seed.requests - was.seed.requests,
      },
      shootRequests: is.shoots.requests - was.shoots.requests,
    };
  };
}

export function costLines(cost: OutageCost, shoots: number): readonly string[] {
  const { seconds, cpuSeconds, lateSeconds, seed, shootRequests } = cost;
  const each = (count: number): string => (count / shoots).toFixed(1);
  const share = (part: number): string => `${((part / seconds) * 100).toFixed(0)} %`;
  return [
    `CPU for each shoot: the prober ${each(cpuSeconds * 1_000)} ms, the seed with all shoots ${each(seed.cpuSeconds * 1_000)} ms; the prober's event loop was late by ${(lateSeconds * 1_000).toFixed(0)} ms (p99)`,
    `in these ${seconds.toFixed(1)} s: the prober took ${share(cpuSeconds)} of a core; the seed's event loop was busy for ${share(seed.busySeconds)}`,
    `requests for each shoot: ${each(seed.requests)} to the seed, ${each(shootRequests)} to the shoot`,
  ];
}

/** `before`: of it, until half a second before the first threshold. */
export function lineFromCut(before: OutageCost, all: OutageCost, shoots: number): string {
  const each = (seconds: number): string => ((seconds * 1_000) / shoots).toFixed(1);
  const healthy = `${before.probes} healthy probes of ${((before.cpuSeconds * 1_000) / before.probes).toFixed(2)} ms`;
  return `CPU for each shoot from the cut on: ${each(all.cpuSeconds)} ms, of them ${each(before.cpuSeconds)} before the first threshold (${healthy}) and ${each(all.cpuSeconds - before.cpuSeconds)} from it on`;
}
