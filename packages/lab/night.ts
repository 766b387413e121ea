/**
 * `npm run night`: random troubles without end, on real servers. The usage has what it does; packages/lab/night/laws.ts, what it is judged by.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { prepareGround } from './control-plane/prepare-ground.ts';
import { keptDirectory } from './meltdown/kept-directory.ts';
import { preparePlace } from './meltdown/place.ts';
import { judge } from './night/laws.ts';
import { nightLines } from './night/night-lines.ts';
import { readNightOptions, usage, type NightOptions } from './night/night-options.ts';
import { playNight } from './night/play-night.ts';
import { playAsked } from './options/read-options.ts';
import { progress } from './options/progress.ts';
import { endTheLiving } from './real/clearing-up.ts';

await playAsked(readNightOptions(process.argv.slice(2)), usage, night);

async function night({ length, shoots, nodes, seed, keep }: NightOptions): Promise<void> {
  const told = progress(systemClock, (line) => process.stderr.write(`${line}\n`));
  try {
    const directory = keep === undefined ? undefined : keptDirectory('keep', keep);
    told.goesOn(() => 'looking for etcd, kube-apiserver and kube-controller-manager');
    const ground = await prepareGround('night', told.say, { directory });
    const place = await preparePlace({ ...ground, silences: true }, seed);
    told.say(`troubles from --seed ${seed}`);
    const played = await playNight(place, { length, shoots, nodes }, told);
    writeFileSync(join(ground.directory, 'struck.json'), JSON.stringify(played.facts.struck, null, 1));
    const { kcmNodeMonitorGraceDuration: graceMillis, nodeLeaseFailureFraction, dependants } = place.config;
    const judged = { graceMillis, failureFraction: nodeLeaseFailureFraction, dependants, nodes };
    const sums = judge(played.facts, judged);
    process.stdout.write(`${nightLines(played, judged, sums).join('\n')}\n`);
    if (!sums.some(({ broken }) => broken.length > 0)) return;
    process.exitCode = 1;
    if (keep !== undefined) return;
    // What nobody finds again is not explained: it takes another hour to break the same law.
    const kept = `${ground.directory}-broken`;
    renameSync(ground.directory, kept);
    told.say(`logs, audit logs, journals and struck.json stay in ${kept}`);
  } catch (error) {
    process.stderr.write(
      `The night could not be played: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 2;
  } finally {
    await endTheLiving();
    told.stop();
  }
}
