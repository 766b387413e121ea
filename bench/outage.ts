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
import { setTimeout as pause } from 'node:timers/promises';
import type { Instant } from '../src/domain/time.ts';
import { proberConfig } from './support/config-file.ts';
import { flags, say } from './support/flags.ts';
import { wayDownLines, wayUpLines } from './support/outage-rows.ts';
import type { SeedReport } from './support/seed-orders.ts';
import { StartedRole } from './support/started-role.ts';
import { reportOnce, startSeed, untilGone, type StartedSeed } from './support/started-seed.ts';

const values = flags({
  shoots: 100,
  nodes: 5,
  qps: 20,
  burst: 100,
  interval: '',
  path: '',
  delay: '30s',
  'pod-start': '3s',
  stay: '15s',
  healing: true,
});
const ways = ['hang', 'refuse', 'cut', 'reset'] as const;
const path = ways.find((way) => way === values.path);
if (values.path !== '' && path === undefined) throw new Error(`--path is one of ${ways.join(', ')}`);
const twoPaths = path !== undefined;
const { shoots, nodes } = values;
const interval = values.interval || (twoPaths ? '10s' : '30s');
const millis = (text: string): number => parseFloat(text) * 1_000;
/** Until every shoot was asked once. */
const longestStart = 60_000;
/** Of a healing, beyond the configured delay. */
const longestHealing = 120_000;
const each = (count: number): string => (count / shoots).toFixed(1);

using config = proberConfig({ interval, delay: values.delay, twoPaths });
const configFile = config.path;
using seed = await startSeed({
  configFile,
  shoots,
  nodes,
  podStart: millis(values['pod-start']),
});
// Kubelets renew every ten seconds, so that is how far the leases of an outage are apart. They are old already: the
// prober still sees none of them expired when it comes, and waits for each shoot's threshold as it would after a day.
const youngest = Math.max(2_000, 14_000 - shoots * 8);
if (path === undefined) await seed.cutOff({ ages: [youngest, youngest + 10_000] });
const limits = [`--kube-api-qps=${values.qps}`, `--kube-api-burst=${values.burst}`, '--enable-leader-election=true'];
await using prober = new StartedRole('prober', { kubeconfig: seed.kubeconfig, configFile, flags: limits });
await prober.isReady();
if (path !== undefined) {
  const began = Date.now();
  await reportOnce(seed, ({ asked }) => asked.all !== undefined, began + longestStart, began);
  // By then every shoot has been probed once by the clock, and the probes of all are spread over the interval.
  await pause(1.2 * millis(interval));
  await seed.cutOff({ path });
}
const how = path === undefined ? 'cut off at once' : `whose load balancers all fail at once (${path})`;
say(`${shoots} shoots of ${nodes} nodes, ${how}, probed every ${interval}`);
await down(seed, prober);
if (values.healing) await up(seed, prober);

async function down(seed: StartedSeed, prober: StartedRole): Promise<void> {
  const { outages: cut } = await seed.report();
  const first = Math.min(...cut.map(({ crossedAt }) => crossedAt));
  await pause(Math.max(0, first - 500 - Date.now()));
  const costs = await costsFrom(seed, prober);
  const outages = await untilGone(seed, cut);
  say(wayDownLines(outages, twoPaths ? 'the break' : 'the threshold').join('\n'));
  say((await costs()).join('\n'));
}

async function up(seed: StartedSeed, prober: StartedRole): Promise<void> {
  // Else every probe would still keep the step of the thresholds.
  await pause(millis(values.stay));
  const costs = await costsFrom(seed, prober);
  await seed.heal(0);
  const last: Instant = Date.now() + millis(values.delay) + longestHealing;
  const { outages } = await reportOnce(seed, allAreBack, last);
  const included = `configured delay ${values.delay}, pods ready ${values['pod-start']} after each of the three levels is asked for`;
  say([`healed ${values.stay} later; included: ${included}`, ...wayUpLines(outages, twoPaths)].join('\n'));
  say((await costs()).join('\n'));
}

function allAreBack({ outages }: SeedReport): boolean {
  return outages.every(({ healing }) => healing?.backAt !== undefined);
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
