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
 * With `--calm` the shoots are healthy and probed for so long, and are then cut off in the same instant with leases as old as they are: up to
 * 10 s. Then the prober's CPU is also counted from the cut on, with the healthy probes until the first threshold. `--calm 30s` is an outage in the first
 * minute of a process, as after a roll or a fail-over; with `--calm 120s` V8 has compiled what is called often.
 *
 * With `--same-phase` all leases are equally old, so all thresholds are met in one instant, as in no seed: what is left is the tail of the program and of its rate limit
 * (`--qps -1` takes that away). Not with `--calm` or `--path`.
 *
 * `--core 0.5` holds the prober to so much of a core from its start-up on, as a limit does, or a neighbour that is as busy. `--program built`
 * measures what ships. From the sources it is also seen how long a scale-down takes from the verdict to the socket. `--peer-go` plays the Go watchdog
 * afterwards, and `--peer='COMMAND'` whatever understands our flags, as an older build. CPU is the kernel's count; probes, and how late the event loop is, only ours tells.
 *
 *     node packages/lab/bench/outage.ts [--path hang] [--shoots 100] [--nodes 5] [--qps 20] [--burst 100] [--interval 30s] [--delay 30s] [--pod-start 3s] [--stay 15s] [--no-healing] [--same-phase] [--calm 30s] [--core 0.5] [--program sources,built] [--peer-go] [--peer='COMMAND']
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { proberConfig } from './support/config-file.ts';
import { distributionOf } from './support/distribution.ts';
import { flags, say } from './support/flags.ts';
import { heldToCore } from './support/held-to-core.ts';
import {
  costLines,
  lineFromCut,
  outageCostFrom,
  type OutageCost,
  wayDownLines,
  wayUpLines,
} from './support/outage-rows.ts';
import { type SeedReport, reportOnce, startSeed, untilGone, type StartedSeed } from './support/started-seed.ts';
import { peersOf } from './support/peers.ts';
import { asSources, programsOf, ShippedProgram } from './support/shipped-program.ts';
import { type RoleStart, StartedRole } from '../real/started-role.ts';
import type { VerdictToWrite } from './support/verdict-to-write.ts';

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
  'same-phase': false,
  calm: '',
  core: 1,
  program: 'sources',
  'peer-go': false,
  peer: '',
});
const ways = ['hang', 'refuse', 'cut', 'reset'] as const;
const path = ways.find((way) => way === values.path);
if (values.path !== '' && path === undefined) throw new Error(`--path is one of ${ways.join(', ')}`);
const twoPaths = path !== undefined;
if (values['same-phase'] && (twoPaths || values.calm !== ''))
  throw new Error('--same-phase goes with neither --path nor --calm');
const { shoots, nodes, calm, core } = values;
const interval = values.interval || (twoPaths ? '10s' : '30s');
const millis = (text: string): number => parseFloat(text) * 1_000;
/** Until every shoot was asked once. */
const longestStart = 60_000;
/** Of a healing, beyond the configured delay. */
const longestHealing = 120_000;
const limits = [`--kube-api-qps=${values.qps}`, `--kube-api-burst=${values.burst}`, '--enable-leader-election=true'];

const preload = join(import.meta.dirname, 'support/verdict-to-write.ts');
for (const program of programsOf(values.program)) {
  using shipped = program === 'built' ? await ShippedProgram.build() : undefined;
  await play(program, shipped?.asImage ?? { ...asSources, preload });
}
for (const [name, command] of await peersOf(values)) await play(name, { command });

type Start = Pick<RoleStart, 'start' | 'env' | 'preload' | 'command'>;

async function play(program: string, start: Start): Promise<void> {
  using config = proberConfig({ interval, delay: values.delay, twoPaths });
  const configFile = config.path;
  using seed = await startSeed({ configFile, shoots, nodes, podStart: millis(values['pod-start']) });
  // Kubelets renew every ten seconds, so that is how far the leases of an outage are apart. They are old already: the
  // prober still sees none of them expired when it comes, and waits for each shoot's threshold as it would after a day.
  const youngest = Math.max(2_000, 14_000 - shoots * 8);
  const oldest = values['same-phase'] ? youngest : youngest + 10_000;
  if (path === undefined && calm === '') await seed.cutOff({ ages: [youngest, oldest] });
  await using prober = await StartedRole.start('prober', {
    kubeconfig: seed.kubeconfig,
    configFile,
    flags: limits,
    ...start,
  });
  if (prober.isOurs) await prober.isReady();
  using held = core < 1 ? heldToCore(prober.pid, core) : undefined;
  let fromCut: (() => Promise<OutageCost>) | undefined;
  if (path !== undefined || calm !== '') {
    const began = Date.now();
    await reportOnce(seed, ({ asked }) => asked.all !== undefined, began + longestStart, began);
    // By then every shoot has been probed once by the clock, and the probes of all are spread over the interval.
    await pause(Math.max(1.2 * millis(interval), calm === '' ? 0 : millis(calm)));
    if (calm !== '') fromCut = await outageCostFrom(seed, prober);
    await seed.cutOff(path === undefined ? { over: 0 } : { path });
  }
  const how = path === undefined ? 'cut off at once' : `whose load balancers all fail at once (${path})`;
  const before = calm === '' ? '' : ` after ${calm} of calm`;
  say(`${shoots} shoots of ${nodes} nodes, ${how}${before}, probed every ${interval}`);
  say(`the prober: ${program}${held === undefined ? '' : `, ${held.how}`}`);
  await down(seed, prober, fromCut);
  if (start.preload !== undefined) say(verdictLine(await prober.told()));
  if (values.healing) await up(seed, prober);
}

async function down(seed: StartedSeed, prober: StartedRole, fromCut?: () => Promise<OutageCost>): Promise<void> {
  const { outages: cut } = await reportOnce(seed, areAllCutOff, Date.now() + longestStart);
  const first = Math.min(...cut.map(({ crossedAt }) => crossedAt));
  await pause(Math.max(0, first - 500 - Date.now()));
  const beforeThreshold = await fromCut?.();
  const cost = await outageCostFrom(seed, prober);
  const outages = await untilGone(seed, cut);
  say(wayDownLines(outages, twoPaths ? 'the break' : 'the threshold').join('\n'));
  say(costLines(await cost(), shoots).join('\n'));
  if (fromCut !== undefined && beforeThreshold !== undefined)
    say(lineFromCut(beforeThreshold, await fromCut(), shoots));
}

function verdictLine({ delays, unsent }: VerdictToWrite): string {
  if (delays.length === 0)
    throw new Error('verdict-to-write.ts saw no scale-down: does it still stand where they pass?');
  const { median, p99, worst } = distributionOf(delays);
  const [middle, late, latest] = [median, p99, worst].map((one) => one.toFixed(1));
  return `ms from the verdict to its write on the socket: median ${middle}, p99 ${late}, worst ${latest}, of ${delays.length} scale-downs; not written: ${unsent}`;
}

async function up(seed: StartedSeed, prober: StartedRole): Promise<void> {
  // Else every probe would still keep the step of the thresholds.
  await pause(millis(values.stay));
  const cost = await outageCostFrom(seed, prober);
  await seed.heal(0);
  const last: Instant = Date.now() + millis(values.delay) + longestHealing;
  const { outages } = await reportOnce(seed, allAreBack, last);
  const included = `configured delay ${values.delay}, pods ready ${values['pod-start']} after each of the three levels is asked for`;
  say([`healed ${values.stay} later; included: ${included}`, ...wayUpLines(outages, twoPaths)].join('\n'));
  say(costLines(await cost(), shoots).join('\n'));
}

function areAllCutOff({ outages }: SeedReport): boolean {
  return outages.every(({ crossedAt }) => crossedAt < Infinity);
}

function allAreBack({ outages }: SeedReport): boolean {
  return outages.every(({ healing }) => healing?.backAt !== undefined);
}
