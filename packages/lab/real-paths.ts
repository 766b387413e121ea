/**
 * `npm run real -- paths`: the older generation of the configuration through an outage of each path (SPEC 4.9), on real API
 * servers. etcd, a seed, a shoot and its kube-controller-manager are real, and the prober runs as Gardener starts it; two TCP
 * load balancers stand for the paths, and the kubelets come through the external one. It prints what was scaled when. Ends with 0
 * if everything went down and came back in the outage of the external path, and nothing was scaled in that of the internal one;
 * with 1 if not, and with 2 where it cannot be tried.
 */
import { relative } from 'node:path';
import process from 'node:process';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { hasTwoPaths } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { keptDirectory } from './meltdown/kept-directory.ts';
import { preparePlace } from './meltdown/place.ts';
import { playAsked } from './options/read-options.ts';
import { progress } from './options/progress.ts';
import { phaseLines } from './paths/path-phase.ts';
import { readPathsOptions, usage, type PathsOptions } from './paths/paths-options.ts';
import { playPaths } from './paths/play-paths.ts';
import { endTheLiving } from './real/clearing-up.ts';
import { prepareGround } from './control-plane/prepare-ground.ts';

await playAsked(readPathsOptions(process.argv.slice(2)), usage, play);

async function play({ configFile, nodes, fault, internalFor, keep }: PathsOptions): Promise<void> {
  const told = progress(systemClock, (line) => process.stderr.write(`${line}\n`));
  try {
    const kept = keep === undefined ? undefined : keptDirectory('keep', keep);
    told.goesOn(() => 'looking for etcd, kube-apiserver and kube-controller-manager');
    const ground = await prepareGround('paths', told.say, { directory: kept });
    const place = await preparePlace(ground, 0, { file: configFile });
    if (!hasTwoPaths(place.config))
      throw new Error(`${configFile} is of the newer generation: it has one path, not two`);
    const { probeInterval, failureThreshold, kcmNodeMonitorGraceDuration: grace } = place.config;
    print([
      `${relative(process.cwd(), configFile)}: probes every ${probeInterval / 1_000} s, cut off after ${failureThreshold} failures in a row; grace ${grace / 1_000} s.`,
      'Seconds count from the beginning of each part.',
    ]);
    const story = { nodes, fault, internalFor: internalFor * 1_000 };
    const wrong = await playPaths(place, story, told, (phase) => print(phaseLines(phase)));
    print(wrong.length === 0 ? ['All went as rule 4.9 says.'] : wrong);
    if (kept !== undefined) told.say(`to see the journal: npm run -s replay -- ${kept}`);
    process.exitCode = wrong.length === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  } finally {
    await endTheLiving();
    told.stop();
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
