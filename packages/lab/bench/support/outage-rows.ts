import { distributionOf } from './distribution.ts';
import type { Healing, SeedOutage, StartedSeed } from './started-seed.ts';
import type { StartedRole } from '../../real/started-role.ts';
import { costOf, lateSeconds, type ProcessCost } from './process-cost.ts';
import type { Series } from '@dwd/testing/program.ts';

/** How the shoots of a seed fared in an outage, as lines. */
export function wayDownLines(outages: readonly SeedOutage[], begin = 'the threshold'): readonly string[] {
  const margins = outages.flatMap(({ controllerManager: { goneAt }, firstMarkAt }) =>
    goneAt === undefined ? [] : [firstMarkAt - goneAt],
  );
  // Nobody can decide sooner than at the threshold, so this is what there was.
  const tightest = Math.min(...outages.map(({ firstMarkAt, crossedAt }) => firstMarkAt - crossedAt));
  const inTime = margins.filter((margin) => margin > 0).length;
  const marks = outages.reduce((sum, one) => sum + one.marks, 0);
  return [
    head(`ms after ${begin}`),
    row('the first write', outages, ({ firstWriteAt, crossedAt }) => since(crossedAt, firstWriteAt)),
    row('the kube-controller-manager is scaled to 0', outages, (one) =>
      since(one.crossedAt, one.controllerManager.scaledAt),
    ),
    row('the kube-controller-manager is gone', outages, (one) => since(one.crossedAt, one.controllerManager.goneAt)),
    `in time: ${inTime} of ${outages.length}; least margin to the first mark: ${(Math.min(...margins) / 1_000).toFixed(1)} s, where the tightest shoot had ${(tightest / 1_000).toFixed(1)} s from ${begin} on; nodes marked: ${marks}`,
  ];
}

/** And how they came back. A prober of two paths does not wait for leases. */
export function wayUpLines(outages: readonly SeedOutage[], twoPaths = false): readonly string[] {
  const healings = outages.map(({ healing }) => healing).filter((one) => one !== undefined);
  return [
    head('ms after the healing'),
    ...(twoPaths ? [] : [row('the leases say so', healings, from('renewedAt'))]),
    row('the kube-controller-manager is scaled up', healings, from('controllerManagerAt')),
    row('all are scaled up, and no mark is left', healings, from('askedAt')),
    row('everything is back, with ready pods', healings, from('backAt')),
  ];
}

function from(name: keyof Healing) {
  return (one: Healing): number | undefined => since(one.healedAt, one[name]);
}

function head(words: string): string {
  return `${words.padEnd(52)}  median     p99   worst`;
}

function row<Item>(what: string, items: readonly Item[], pick: (item: Item) => number | undefined): string {
  const known = items.map(pick).filter((one) => one !== undefined);
  const { median, p99, worst } = distributionOf(known);
  const missing = known.length === items.length ? '' : `  (${items.length - known.length} never)`;
  return `${what.padEnd(52)}${[median, p99, worst].map((one) => one.toFixed(0).padStart(8)).join('')}${missing}`;
}

function since(start: number | undefined, at: number | undefined): number | undefined {
  return start === undefined || at === undefined ? undefined : at - start;
}

/** What a while of an outage took: of the prober, and of the seed with all its shoots. */
export type OutageCost = Readonly<{
  seconds: number;
  cpuSeconds: number;
  /** NaN of another watchdog. */
  probes: number;
  /** The prober's event loop, p99; NaN of another watchdog. */
  lateSeconds: number;
  seed: Readonly<{ cpuSeconds: number; busySeconds: number; requests: number }>;
  shootRequests: number;
  /** Of the prober, at the end of it. */
  memory: ProcessCost | undefined;
}>;

/** Answers what it took from now on, as often as it is asked. */
export async function outageCostFrom(seed: StartedSeed, prober: StartedRole): Promise<() => Promise<OutageCost>> {
  const startedAt = Date.now();
  const [before, was] = [await ownSeries(prober), await seed.report()];
  const cpuBefore = costOf(prober.pid)?.cpuSeconds ?? NaN;
  return async () => {
    const [after, is] = [await ownSeries(prober), await seed.report()];
    const cost = costOf(prober.pid);
    const grown = (name: string): number => (after[name] ?? NaN) - (before[name] ?? NaN);
    return {
      seconds: (Date.now() - startedAt) / 1_000,
      cpuSeconds: (cost?.cpuSeconds ?? NaN) - cpuBefore,
      probes: grown('dwd_probe_duration_seconds_count'),
      lateSeconds: lateSeconds(after),
      seed: {
        cpuSeconds: is.cpuSeconds - was.cpuSeconds,
        busySeconds: (is.busyMillis - was.busyMillis) / 1_000,
        requests: is.seed.requests - was.seed.requests,
      },
      shootRequests: is.shoots.requests - was.shoots.requests,
      memory: cost,
    };
  };
}

/** None of another watchdog: its own counts mean something else. */
async function ownSeries(prober: StartedRole): Promise<Series> {
  return prober.isOurs ? await prober.metrics() : {};
}

export function costLines(cost: OutageCost, shoots: number): readonly string[] {
  const { seconds, cpuSeconds, lateSeconds, seed, shootRequests, memory } = cost;
  const each = (count: number): string => (count / shoots).toFixed(1);
  const share = (part: number): string => `${((part / seconds) * 100).toFixed(0)} %`;
  const late = Number.isNaN(lateSeconds)
    ? ''
    : `; the prober's event loop was late by ${(lateSeconds * 1_000).toFixed(0)} ms (p99)`;
  return [
    `the prober's memory then: ${mebibytes(memory?.residentBytes)} MiB resident, ${mebibytes(memory?.anonymousBytes)} of no file; at most so far ${mebibytes(memory?.mostResidentBytes)}`,
    `CPU for each shoot: the prober ${each(cpuSeconds * 1_000)} ms, the seed with all shoots ${each(seed.cpuSeconds * 1_000)} ms${late}`,
    `in these ${seconds.toFixed(1)} s: the prober took ${share(cpuSeconds)} of a core; the seed's event loop was busy for ${share(seed.busySeconds)}`,
    `requests for each shoot: ${each(seed.requests)} to the seed, ${each(shootRequests)} to the shoot`,
  ];
}

function mebibytes(bytes: number | undefined): string {
  return ((bytes ?? NaN) / 1_048_576).toFixed(0);
}

/** `before`: of it, until half a second before the first threshold. */
export function lineFromCut(before: OutageCost, all: OutageCost, shoots: number): string {
  const each = (seconds: number): string => ((seconds * 1_000) / shoots).toFixed(1);
  const healthy = Number.isNaN(before.probes)
    ? ''
    : ` (${before.probes} healthy probes of ${((before.cpuSeconds * 1_000) / before.probes).toFixed(2)} ms)`;
  return `CPU for each shoot from the cut on: ${each(all.cpuSeconds)} ms, of them ${each(before.cpuSeconds)} before the first threshold${healthy} and ${each(all.cpuSeconds - before.cpuSeconds)} from it on`;
}
