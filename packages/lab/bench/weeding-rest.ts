/**
 * What a weeder costs while nothing happens: services that are available and whose windows are over, as Gardener
 * configures them. The seed is a process of its own.
 *
 *     node packages/lab/bench/weeding-rest.ts [--services 500] [--seconds 60]
 */
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { weederConfig } from './support/config-file.ts';
import { flags, say } from './support/flags.ts';
import { memoryWords, StartedRole } from './support/started-role.ts';
import { startWeededSeed } from './support/started-weeded-seed.ts';

const { services, seconds } = flags({ services: 500, seconds: 60 });
const each = ['kube-apiserver', 'etcd-main-client'];

// A weeder that starts opens a window for whatever is available; nobody learns anything from five minutes of them.
using config = weederConfig('10s');
const namespaces = services / each.length;
using seed = await startWeededSeed({ namespaces, forsaken: 0, services: each, available: true });
await using weeder = new StartedRole('weeder', { kubeconfig: seed.kubeconfig, configFile: config.path });
await weeder.isReady();
say(`${services} available services, one selector each`);
let most = await weeder.metrics();
for (let now = most; (now.get('dwd_weeders_active') ?? 0) > 0; now = await weeder.metrics()) {
  if (residentOf(now) > residentOf(most)) most = now;
  await pause(500);
}
say(`at most, while all windows of the start are open: ${memoryWords(most)}`);

await pause(2_000);
const before = await weeder.metrics();
const known = (await seed.report()).requests;
await pause(seconds * 1_000);
const after = await weeder.metrics();
const { requests, mistakes, openConnections } = await seed.report();
const cpu = ((cpuOf(after) - cpuOf(before)) * 60_000) / seconds;
say(`at rest: ${memoryWords(after)}; CPU ${cpu.toFixed(0)} ms a minute; ${openConnections} connections`);
const asked = Object.entries(requests).map(([what, count]) => [what, count - (known[what] ?? 0)] as const);
const grown = asked.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
say(`requests in ${seconds} s: ${grown.join(', ')}`);
for (const mistake of mistakes) say(mistake);
if (mistakes.length > 0) process.exitCode = 1;

function residentOf(metrics: ReadonlyMap<string, number>): number {
  return metrics.get('process_resident_memory_bytes') ?? NaN;
}

function cpuOf(metrics: ReadonlyMap<string, number>): number {
  return metrics.get('process_cpu_seconds_total') ?? NaN;
}
