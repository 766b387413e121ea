/**
 * How the prober's cost grows with the shoots of a seed, and with the nodes of a shoot, while all are healthy. `--record` writes
 * what was measured to docs/performance/growth.json, of which `npm run docs` draws docs/performance/growth.svg.
 *
 *     node packages/lab/bench/growth.ts [--shoots 1,100,500,2000] [--nodes 1,100,1000,5000] [--interval 10] [--seconds 20] [--record]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Growth, GrowthPoint } from '../growth/growth-svg.ts';
import { flags, say } from './support/flags.ts';
import { measureSteady } from './support/measure-steady.ts';

const recorded = join(import.meta.dirname, '../../../docs/performance/growth.json');
/** Of which one thing grows while the other stays. */
const usual = { shoots: 20, nodes: 5 } as const;

const { shoots, nodes, interval, seconds, record } = flags({
  shoots: '1,50,100,200,500,1000,1500,2000',
  nodes: '1,10,100,500,1000,2000,3500,5000',
  interval: 10,
  seconds: 20,
  record: false,
});
const counts = (text: string): readonly number[] => text.split(',').map(Number);
const round = (value: number): number => Number(value.toPrecision(3));

async function measure(ofShoots: number, ofNodes: number): Promise<GrowthPoint> {
  const cost = await measureSteady({ shoots: ofShoots, nodes: ofNodes, interval, warm: interval, seconds });
  const point = {
    shoots: ofShoots,
    nodes: ofNodes,
    cores: round(cost.cpuSeconds / cost.seconds),
    mebibytes: round(cost.residentBytes[1] / 1_048_576),
    millisLate: round(cost.lateSeconds * 1_000),
  };
  say(
    `${ofShoots} shoots of ${ofNodes} nodes: ${(point.cores * 100).toFixed(1)} % of a core, ${point.mebibytes} MiB, event loop late by ${point.millisLate} ms (p99)`,
  );
  return point;
}

const byShoots: GrowthPoint[] = [];
const byNodes: GrowthPoint[] = [];
for (const count of counts(shoots)) byShoots.push(await measure(count, usual.nodes));
for (const count of counts(nodes)) byNodes.push(await measure(usual.shoots, count));
const growth: Growth = { intervalSeconds: interval, byShoots, byNodes };
if (record) writeFileSync(recorded, `${JSON.stringify(growth, undefined, 2)}\n`);
