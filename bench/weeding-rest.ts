/**
 * What a weeder costs while nothing happens: services that are available and whose windows are over, as Gardener
 * configures them. The seed is a process of its own.
 *
 *     node bench/weeding-rest.ts [--services 500] [--seconds 60]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { memoryWords } from './support/memory-words.ts';
import { gardenerWeederConfigFile } from './support/read-config.ts';
import { StartedRole } from './support/started-role.ts';
import { startWeededSeed } from './support/started-weeded-seed.ts';

const { values } = parseArgs({
  options: { services: { type: 'string', default: '500' }, seconds: { type: 'string', default: '60' } },
});
const [services, seconds] = [Number(values.services), Number(values.seconds)];
const each = ['kube-apiserver', 'etcd-main-client'];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const dir = mkdtempSync(join(tmpdir(), 'dwd-bench-'));
const configFile = join(dir, 'config.yaml');
// A weeder that starts opens a window for whatever is available; nobody learns anything from five minutes of them.
const watchDuration = 'watchDuration: 10s';
writeFileSync(configFile, readFileSync(gardenerWeederConfigFile, 'utf8').replace(/^watchDuration:.*$/m, watchDuration));
try {
  const namespaces = services / each.length;
  using seed = await startWeededSeed({ namespaces, forsaken: 0, services: each, available: true });
  const flags = ['--kube-api-qps=20', '--kube-api-burst=100', '--enable-leader-election=true'];
  await using weeder = new StartedRole('weeder', { kubeconfig: seed.kubeconfig, configFile, flags });
  await weeder.line(({ msg }) => msg === 'the first lists of the seed are in');
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
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function residentOf(metrics: ReadonlyMap<string, number>): number {
  return metrics.get('process_resident_memory_bytes') ?? NaN;
}

function cpuOf(metrics: ReadonlyMap<string, number>): number {
  return metrics.get('process_cpu_seconds_total') ?? NaN;
}
