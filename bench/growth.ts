/**
 * How the prober's cost grows with the shoots of a seed, and with the nodes of a shoot, while all are healthy. `--record` writes
 * what was measured to docs/performance/growth.json, of which `npm run docs` draws docs/performance/growth.svg.
 *
 *     node bench/growth.ts [--shoots 1,100,500,2000] [--nodes 1,100,1000,5000] [--interval 10] [--seconds 20] [--record]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Growth, GrowthPoint } from '../hack/growth/growth.ts';
import { measureSteady } from './support/measure-steady.ts';

const recorded = join(import.meta.dirname, '../docs/performance/growth.json');
/** Of which one thing grows while the other stays. */
const usual = { shoots: 20, nodes: 5 } as const;

const { values } = parseArgs({
  options: {
    shoots: { type: 'string', default: '1,50,100,200,500,1000,1500,2000' },
    nodes: { type: 'string', default: '1,10,100,500,1000,2000,3500,5000' },
    interval: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '20' },
    record: { type: 'boolean', default: false },
  },
});
const intervalSeconds = Number(values.interval);
const counts = (text: string): readonly number[] => text.split(',').map(Number);
const round = (value: number): number => Number(value.toPrecision(3));

async function measure(shoots: number, nodes: number): Promise<GrowthPoint> {
  const cost = await measureSteady({ shoots, nodes, intervalSeconds, seconds: Number(values.seconds) });
  const point = {
    shoots,
    nodes,
    cores: round(cost.cpuSeconds / cost.seconds),
    mebibytes: round(cost.residentBytes[1] / 1_048_576),
    millisLate: round(cost.lateSeconds * 1_000),
  };
  process.stdout.write(
    `${shoots} shoots of ${nodes} nodes: ${(point.cores * 100).toFixed(1)} % of a core, ${point.mebibytes} MiB, event loop late by ${point.millisLate} ms (p99)\n`,
  );
  return point;
}

const byShoots: GrowthPoint[] = [];
const byNodes: GrowthPoint[] = [];
for (const shoots of counts(values.shoots)) byShoots.push(await measure(shoots, usual.nodes));
for (const nodes of counts(values.nodes)) byNodes.push(await measure(usual.shoots, nodes));
const growth: Growth = { intervalSeconds, byShoots, byNodes };
if (values.record) writeFileSync(recorded, `${JSON.stringify(growth, undefined, 2)}\n`);
