/**
 * Many shoots are cut off at once, at real time, with Gardener's configuration and flags: how soon after the threshold
 * of its own each of them is written to, how soon its kube-controller-manager is gone, and how much later it would have
 * marked the first node. The seed, with its shoots, and the prober are processes of their own, on one machine.
 *
 *     node bench/outage.ts [--shoots 100] [--nodes 5] [--qps 20] [--burst 100]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { distributionOf } from './support/distribution.ts';
import { gardenerConfigFile } from './support/read-config.ts';
import type { Outage } from './support/seed-orders.ts';
import { StartedRole } from './support/started-role.ts';
import { startSeed } from './support/started-seed.ts';

const { values } = parseArgs({
  options: {
    shoots: { type: 'string', default: '100' },
    nodes: { type: 'string', default: '5' },
    qps: { type: 'string', default: '20' },
    burst: { type: 'string', default: '100' },
  },
});
const shoots = Number(values.shoots);
const cpuSeconds = 'process_cpu_seconds_total';

const dir = mkdtempSync(join(tmpdir(), 'dwd-bench-'));
const configFile = join(dir, 'config.yaml');
// Nobody learns anything from the half minute before the first probes.
writeFileSync(configFile, `initialDelay: 0s\n${readFileSync(gardenerConfigFile, 'utf8')}`);
try {
  using seed = await startSeed({ configFile, shoots, nodes: Number(values.nodes) });
  // Kubelets renew every ten seconds, so that is how far the leases of an outage are apart. They are old already: the
  // prober still sees none of them expired when it comes, and waits for each shoot's threshold as it would after a day.
  const youngest = Math.max(2_000, 14_000 - shoots * 8);
  await seed.cutOff([youngest, youngest + 10_000]);
  const flags = [`--kube-api-qps=${values.qps}`, `--kube-api-burst=${values.burst}`, '--enable-leader-election=true'];
  await using prober = new StartedRole('prober', { kubeconfig: seed.kubeconfig, configFile, flags });
  await prober.line(({ msg }) => msg === 'the first lists of the seed are in');
  process.stdout.write(`${shoots} shoots of ${values.nodes} nodes, cut off at once\n`);

  let { outages, cpuSeconds: seedBefore } = await seed.report();
  const first = Math.min(...outages.map(({ crossedAt }) => crossedAt));
  await pause(Math.max(0, first - 500 - Date.now()));
  const before = await prober.metrics();
  ({ outages, cpuSeconds: seedBefore } = await seed.report());
  const last = Math.max(...outages.map(({ firstMarkAt }) => firstMarkAt)) + 20_000;
  while (Date.now() < last && outages.some(({ controllerManager }) => controllerManager.goneAt === undefined)) {
    await pause(500);
    ({ outages } = await seed.report());
  }
  show(outages);
  const after = await prober.metrics();
  const cpu = (after.get(cpuSeconds) ?? NaN) - (before.get(cpuSeconds) ?? NaN);
  const seedCpu = (await seed.report()).cpuSeconds - seedBefore;
  process.stdout.write(
    `CPU for each shoot: the prober ${((cpu * 1_000) / shoots).toFixed(1)} ms, the seed with all shoots ${((seedCpu * 1_000) / shoots).toFixed(1)} ms; ` +
      `the prober's event loop was late by ${((after.get('nodejs_eventloop_lag_p99_seconds') ?? NaN) * 1_000).toFixed(0)} ms (p99)\n`,
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function show(outages: readonly Outage[]): void {
  const row = (what: string, since: (outage: Outage) => number | undefined): void => {
    const known = outages.map(since).filter((one) => one !== undefined);
    const { median, p99, worst } = distributionOf(known);
    const missing = known.length === outages.length ? '' : `  (${outages.length - known.length} never)`;
    const cells = [median, p99, worst].map((one) => one.toFixed(0).padStart(8)).join('');
    process.stdout.write(`${what.padEnd(52)}${cells}${missing}\n`);
  };
  process.stdout.write(`${'ms after the threshold'.padEnd(52)}  median     p99   worst\n`);
  row('the first write', ({ firstWriteAt, crossedAt }) => firstWriteAt && firstWriteAt - crossedAt);
  row('the kube-controller-manager is scaled to 0', (one) => minus(one.controllerManager.scaledAt, one.crossedAt));
  row('the kube-controller-manager is gone', (one) => minus(one.controllerManager.goneAt, one.crossedAt));
  const margins = outages.flatMap(({ controllerManager: { goneAt }, firstMarkAt }) =>
    goneAt === undefined ? [] : [firstMarkAt - goneAt],
  );
  const inTime = margins.filter((margin) => margin > 0).length;
  const marks = outages.reduce((sum, one) => sum + one.marks, 0);
  process.stdout.write(
    `in time: ${inTime} of ${outages.length}; least margin to the first mark: ${(Math.min(...margins) / 1_000).toFixed(1)} s; nodes marked: ${marks}\n`,
  );
}

function minus(at: number | undefined, since: number): number | undefined {
  return at === undefined ? undefined : at - since;
}
