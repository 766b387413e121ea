/**
 * How long a service's dependants wait once it is back: from the instant at which the seed stores the EndpointSlice that
 * makes the service available to the arrival of the first DELETE, one recovery after the other, among quiet services.
 * The seed and the weeder are processes of their own. Aim: 40 ms.
 *
 *     node packages/lab/bench/weeding.ts [--recoveries 100] [--namespaces 40]
 */
import process from 'node:process';
import { weederConfig } from './support/config-file.ts';
import { distributionOf } from './support/distribution.ts';
import { flags, say } from './support/flags.ts';
import { election, gardenersFlags, StartedRole } from '../real/started-role.ts';
import { asSources } from './support/shipped-program.ts';
import { startWeededSeed } from './support/started-seed.ts';

const { recoveries, namespaces } = flags({ recoveries: 100, namespaces: 40 });
const services = ['kube-apiserver', 'etcd-main-client'];

say(`${recoveries} recoveries of one service among ${namespaces * services.length}; to the first deletion`);
say(`${''.padEnd(52)}  median     p99   worst`);
// Half a second, so that nobody waits five minutes for the next window that begins with a list.
await measure('a new window: dependants are listed, then watched', { watchDuration: '500ms', afresh: true });
await measure('within an open window: they are watched already', { watchDuration: '5m', afresh: false });

async function measure(
  what: string,
  { watchDuration, afresh }: { watchDuration: string; afresh: boolean },
): Promise<void> {
  using config = weederConfig(watchDuration);
  using seed = await startWeededSeed({ namespaces, forsaken: 0, services, available: true });
  await using weeder = await StartedRole.start('weeder', {
    kubeconfig: seed.kubeconfig,
    configFile: config.path,
    // The prober's rates.
    flags: [...gardenersFlags.prober, election],
    ...asSources,
  });
  await weeder.lineThat(({ leadership }) => leadership === 'leading');
  await weeder.isReady();

  const waits: number[] = [];
  // The first one warms up.
  for (let count = 0; count <= recoveries; count += 1) {
    const failedAt = Date.now();
    await seed.fail(afresh);
    // Else what crash-loops would be deleted before the weeder knows of the outage.
    await weeder.lineThat(({ to, ts }) => (to === 'down' || to === 'relapsed') && Date.parse(ts) >= failedAt);
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
