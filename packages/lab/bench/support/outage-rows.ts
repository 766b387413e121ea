import { distributionOf } from './distribution.ts';
import type { Healing, Outage } from './seed-orders.ts';

/** How the shoots of a seed fared in an outage, as lines. */
export function wayDownLines(outages: readonly Outage[], begin = 'the threshold'): readonly string[] {
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
export function wayUpLines(outages: readonly Outage[], twoPaths = false): readonly string[] {
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
