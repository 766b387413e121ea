import { seededChance } from '../../../adapters/clock/chance.ts';
import { scaledClock } from '../../../adapters/clock/wall-clock.ts';
import { longestSilence } from '../../../adapters/http/health.ts';
import { readProberConfig } from '../../../domain/config/read-prober-config.ts';
import { hasTwoPaths, type ProberConfig } from '../../../domain/prober/prober-config.ts';
import { startEmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import { seedStreams } from '../../../adapters/seed-watch/seed-informers.ts';
import { assembleProber } from '../../role/assemble-prober.ts';
import { gardenerRate } from '../../role/seed-clients.ts';
import { runStory } from '../story/run-story.ts';
import type { SimulateFlags } from '../story/simulate-flags.ts';
import { gardenerProberConfig, readStoryConfig } from '../story/story-config.ts';
import { sayTo, type Scene, type StartedRun } from '../story/story-run.ts';
import { GroundTruth } from './ground-truth.ts';
import { moreKinds } from './more-kinds.ts';
import { networkJson } from './network-json.ts';
import { networkStoryLengths, speedFor } from './network-story.ts';
import { networkSummary } from './network-summary.ts';
import { networkWords } from './network-words.ts';
import type { NetworkOptions } from './observation.ts';
import { networkStory } from './play-network-story.ts';

/** Runs the prober on an embedded seed, and lets a gateway fail. Returns the exit code. */
export async function simulateNetworkOutage(flags: SimulateFlags, scene: Scene): Promise<number> {
  const config = await readStoryConfig(
    flags.configFile,
    gardenerProberConfig,
    (written) => readProberConfig(written),
    scene,
  );
  if (config === undefined) return 1;
  const say = sayTo(scene);
  const twice = nameTwice(config);
  if (twice !== undefined) {
    say(
      `two dependants have the name ${twice}. This story tells dependants apart by their names; take one of them out`,
    );
    return 1;
  }

  const lengths = networkStoryLengths(config);
  const speed = flags.speed ?? speedFor(lengths);
  const clock = (scene.clockAt ?? scaledClock)(speed);
  return await runStory(flags, scene, { speed, clock, config }, async (run) => {
    const replicas = seededChance(run.seedNumber + 1);
    const seed = await startEmbeddedSeed({
      clock,
      chance: seededChance(run.seedNumber),
      config,
      shoots: flags.shoots,
      nodes: flags.nodes,
      // Some have 2, as in a highly available control plane, so that a wrong count after the outage is noticed.
      replicas: () => (replicas() < 0.5 ? 1 : 2),
      moreKinds: moreKinds(config.dependants.map(({ ref }) => ref)),
      sharedCertificates: flags.shoots > mostCertificates,
    });
    const truth = new GroundTruth(seed, clock, config);
    const optionsOf = (started: StartedRun): NetworkOptions => ({
      ...started,
      nodes: flags.nodes,
      firstShoot: seed.shoots[0]?.name ?? '',
      config,
      oldestRenewal: (shoot) => truth.oldestRenewal(shoot),
    });
    return {
      seeds: [seed],
      role: {
        name: 'prober',
        assemble: assembleProber,
        longestSilence,
        streams: seedStreams,
        user: 'dependency-watchdog-prober',
        rate: gardenerRate,
        chance: seededChance(run.seedNumber + 2),
        seed,
      },
      story: networkStory({ clock, seed, truth, lengths, twoPaths: hasTwoPaths(config), speed }),
      summary: networkSummary,
      words: (started) => networkWords(optionsOf(started)),
      json: (started) => networkJson(optionsOf(started)),
    };
  });
}

function nameTwice({ dependants }: ProberConfig): string | undefined {
  const names = dependants.map(({ ref }) => ref.name);
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** With more shoots than this, all show one certificate, because making one takes longer than starting the rest of a shoot. */
const mostCertificates = 20;
