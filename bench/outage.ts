/**
 * Many shoots are cut off at once, at real time, with Gardener's configuration and flags: how soon after the threshold
 * of its own each of them is written to, how soon its kube-controller-manager is gone, and how much later it would have
 * marked the first node. Then all are healed at once: how soon the leases say so (nobody could know before), and how soon
 * everything is back as it was. The seed, with its shoots, and the prober are processes of their own, on one machine.
 *
 * Of the healing, `--delay` is the configured `scaleUp.initialDelay` of the machine-controller-manager: 30s is Gardener's, 0s shows what the
 * prober itself takes. `--pod-start` is how long the pods of each of the three levels take to be ready.
 *
 * `--path` is the older generation's: the load balancer of every shoot fails in this way (hang, refuse, cut or reset), and lengths count
 * from then on. There the interval is 10s unless given, as by default.
 *
 *     node bench/outage.ts [--path hang] [--shoots 100] [--nodes 5] [--qps 20] [--burst 100] [--interval 30s] [--delay 30s] [--pod-start 3s] [--stay 15s] [--no-healing]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Instant } from '../src/domain/time.ts';
import { wayDownLines, wayUpLines } from './support/outage-rows.ts';
import { proberConfigText } from './support/prober-config-text.ts';
import { StartedRole } from './support/started-role.ts';
import { startSeed, type StartedSeed } from './support/started-seed.ts';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    shoots: { type: 'string', default: '100' },
    nodes: { type: 'string', default: '5' },
    qps: { type: 'string', default: '20' },
    burst: { type: 'string', default: '100' },
    interval: { type: 'string' },
    path: { type: 'string' },
    delay: { type: 'string', default: '30s' },
    'pod-start': { type: 'string', default: '3s' },
    stay: { type: 'string', default: '15s' },
    healing: { type: 'boolean', default: true },
  },
});
const ways = ['hang', 'refuse', 'cut', 'reset'] as const;
const path = ways.find((way) => way === values.path);
if (values.path !== undefined && path === undefined) throw new Error(`--path is one of ${ways.join(', ')}`);
const twoPaths = path !== undefined;
const { interval = twoPaths ? '10s' : '30s' } = values;
const shoots = Number(values.shoots);
const millis = (text: string): number => parseFloat(text) * 1_000;
/** Until every shoot was asked once. */
const longestStart = 60_000;
/** Of a healing, beyond the configured delay. */
const longestHealing = 120_000;
const each = (count: number): string => (count / shoots).toFixed(1);
const say = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

const dir = mkdtempSync(join(tmpdir(), 'dwd-bench-'));
const configFile = join(dir, 'config.yaml');
writeFileSync(configFile, proberConfigText({ interval, delay: values.delay, twoPaths }));
try {
  using seed = await startSeed({
    configFile,
    shoots,
    nodes: Number(values.nodes),
    podStart: millis(values['pod-start']),
  });
  // Kubelets renew every ten seconds, so that is how far the leases of an outage are apart. They are old already: the
  // prober still sees none of them expired when it comes, and waits for each shoot's threshold as it would after a day.
  const youngest = Math.max(2_000, 14_000 - shoots * 8);
  if (path === undefined) await seed.cutOff({ ages: [youngest, youngest + 10_000] });
  const flags = [`--kube-api-qps=${values.qps}`, `--kube-api-burst=${values.burst}`, '--enable-leader-election=true'];
  await using prober = new StartedRole('prober', { kubeconfig: seed.kubeconfig, configFile, flags });
  await prober.line(({ msg }) => msg === 'the first lists of the seed are in');
  if (path !== undefined) {
    const began = Date.now();
    await seed.reportOnce(({ asked }) => asked.all !== undefined, began + longestStart, began);
    // By then every shoot has been probed once by the clock, and the probes of all are spread over the interval.
    await pause(1.2 * millis(interval));
    await seed.cutOff({ path });
  }
  const how = path === undefined ? 'cut off at once' : `whose load balancers all fail at once (${path})`;
  say([`${shoots} shoots of ${values.nodes} nodes, ${how}, probed every ${interval}`]);
  await down(seed, prober);
  if (values.healing) await up(seed, prober);
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function down(seed: StartedSeed, prober: StartedRole): Promise<void> {
  let { outages } = await seed.report();
  const first = Math.min(...outages.map(({ crossedAt }) => crossedAt));
  await pause(Math.max(0, first - 500 - Date.now()));
  const costs = await costsFrom(seed, prober);
  const last = Math.max(...outages.map(({ firstMarkAt }) => firstMarkAt)) + 20_000;
  while (Date.now() < last && outages.some(({ controllerManager }) => controllerManager.goneAt === undefined)) {
    await pause(500);
    ({ outages } = await seed.report());
  }
  say(wayDownLines(outages, twoPaths ? 'the break' : 'the threshold'));
  say(await costs());
}

async function up(seed: StartedSeed, prober: StartedRole): Promise<void> {
  // Else every probe would still keep the step of the thresholds.
  await pause(millis(values.stay));
  const costs = await costsFrom(seed, prober);
  let { outages } = await seed.heal(0);
  const last: Instant = Date.now() + millis(values.delay) + longestHealing;
  while (Date.now() < last && outages.some(({ healing }) => healing?.backAt === undefined)) {
    await pause(500);
    ({ outages } = await seed.report());
  }
  const included = `configured delay ${values.delay}, pods ready ${values['pod-start']} after each of the three levels is asked for`;
  say([`healed ${values.stay} later; included: ${included}`, ...wayUpLines(outages, twoPaths)]);
  say(await costs());
}

/** Answers what it cost from now on. */
async function costsFrom(seed: StartedSeed, prober: StartedRole): Promise<() => Promise<readonly string[]>> {
  const [before, was] = [await prober.metrics(), await seed.report()];
  return async () => {
    const [after, is] = [await prober.metrics(), await seed.report()];
    const cpu = (after.get('process_cpu_seconds_total') ?? NaN) - (before.get('process_cpu_seconds_total') ?? NaN);
    const late = ((after.get('nodejs_eventloop_lag_p99_seconds') ?? NaN) * 1_000).toFixed(0);
    return [
      `CPU for each shoot: the prober ${each(cpu * 1_000)} ms, the seed with all shoots ${each((is.cpuSeconds - was.cpuSeconds) * 1_000)} ms; the prober's event loop was late by ${late} ms (p99)`,
      `requests for each shoot: ${each(is.seed.requests - was.seed.requests)} to the seed, ${each(is.shoots.requests - was.shoots.requests)} to the shoot`,
    ];
  };
}
