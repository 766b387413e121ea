/**
 * How long a service's dependants wait once it is back: from the instant at which the seed stores the EndpointSlice that
 * makes the service available to the arrival of the first DELETE, one recovery after the other, among quiet services.
 * The seed and the weeder are processes of their own. Aim: 40 ms.
 *
 *     node bench/weeding.ts [--recoveries 100] [--namespaces 40]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { distributionOf } from './support/distribution.ts';
import { gardenerWeederConfigFile } from './support/read-config.ts';
import { StartedRole } from './support/started-role.ts';
import { startWeededSeed } from './support/started-weeded-seed.ts';

const { values } = parseArgs({
  options: { recoveries: { type: 'string', default: '100' }, namespaces: { type: 'string', default: '40' } },
});
const [recoveries, namespaces] = [Number(values.recoveries), Number(values.namespaces)];
const services = ['kube-apiserver', 'etcd-main-client'];
const dir = mkdtempSync(join(tmpdir(), 'dwd-bench-'));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  say(`${recoveries} recoveries of one service among ${namespaces * services.length}; to the first deletion`);
  say(`${''.padEnd(52)}  median     p99   worst`);
  // Half a second, so that nobody waits five minutes for the next window that begins with a list.
  await measure('a new window: dependants are listed, then watched', { watchDuration: '500ms', afresh: true });
  await measure('within an open window: they are watched already', { watchDuration: '5m', afresh: false });
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function measure(
  what: string,
  { watchDuration, afresh }: { watchDuration: string; afresh: boolean },
): Promise<void> {
  const configFile = join(dir, 'config.yaml');
  const gardeners = readFileSync(gardenerWeederConfigFile, 'utf8');
  writeFileSync(configFile, gardeners.replace(/^watchDuration:.*$/m, `watchDuration: ${watchDuration}`));
  using seed = await startWeededSeed({ namespaces, forsaken: 0, services, available: true });
  const flags = ['--kube-api-qps=20', '--kube-api-burst=100', '--enable-leader-election=true'];
  await using weeder = new StartedRole('weeder', { kubeconfig: seed.kubeconfig, configFile, flags });
  await weeder.line(({ leadership }) => leadership === 'leading');
  await weeder.line(({ msg }) => msg === 'the first lists of the seed are in');

  const waits: number[] = [];
  // The first one warms up.
  for (let count = 0; count <= recoveries; count += 1) {
    const failedAt = Date.now();
    await seed.fail(afresh);
    // Else what crash-loops would be deleted before the weeder knows of the outage.
    await weeder.line(({ to, ts }) => (to === 'down' || to === 'relapsed') && Date.parse(String(ts)) >= failedAt);
    const wait = await seed.recover();
    if (count > 0 && wait !== undefined) waits.push(wait);
  }
  const { median, p99, worst } = distributionOf(waits);
  const missing = recoveries - waits.length;
  const cells = [median, p99, worst].map((one) => one.toFixed(0).padStart(8)).join('');
  say(`${what.padEnd(52)}${cells} ms (aim: 40)${missing === 0 ? '' : `  (${missing} never)`}`);
  const { mistakes } = await seed.report();
  for (const mistake of mistakes) say(mistake);
  if (mistakes.length > 0) process.exitCode = 1;
}
