import { Subject } from 'rxjs';
import { seededChance } from '../../../adapters/clock/chance.ts';
import { scaledClock } from '../../../adapters/clock/wall-clock.ts';
import { longestSilence } from '../../../adapters/http/health.ts';
import { readProberConfig } from '../../../domain/config/read-prober-config.ts';
import { hasTwoPaths, type ProberConfig } from '../../../domain/prober/prober-config.ts';
import type { Millis } from '../../../domain/time.ts';
import { startEmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import { seedStreams } from '../../../adapters/seed-watch/seed-informers.ts';
import { assembleProber } from '../../role/assemble-prober.ts';
import { gardenerRate } from '../../role/seed-clients.ts';
import { hearOrders } from '../story/orders.ts';
import type { SimulateFlags } from '../story/simulate-flags.ts';
import { simulatedRole } from '../story/simulated-role.ts';
import { gardenerProberConfig, readStoryConfig } from '../story/story-config.ts';
import { runOptions, sayTo, type Scene } from '../story/story-run.ts';
import { chosenStoryteller } from '../story/storyteller.ts';
import { tellStory } from '../story/tell-story.ts';
import { GroundTruth } from './ground-truth.ts';
import { moreKinds } from './more-kinds.ts';
import { networkJson } from './network-json.ts';
import { networkStoryLengths, speedFor } from './network-story.ts';
import { networkSummary } from './network-summary.ts';
import { networkWords } from './network-words.ts';
import type { NetworkOptions } from './observation.ts';
import { playNetworkStory } from './play-network-story.ts';

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

  return await playNetworkOutage(flags, config, scene);
}

function nameTwice({ dependants }: ProberConfig): string | undefined {
  const names = dependants.map(({ ref }) => ref.name);
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** In real time: how late a story may be because of this machine, and how often we look at it. */
const slack: Millis = 1_500;
const lookEvery: Millis = 50;

/** With more shoots than this, all show one certificate, because making one takes longer than starting the rest of a shoot. */
const mostCertificates = 20;

/** Plays the story from beginning to end. Returns the exit code. */
async function playNetworkOutage(flags: SimulateFlags, config: ProberConfig, scene: Scene): Promise<number> {
  const heard = hearOrders(scene, flags);
  const say = sayTo(scene);
  const lengths = networkStoryLengths(config);
  const speed = flags.speed ?? speedFor(lengths);
  const clock = (scene.clockAt ?? scaledClock)(speed);
  const run = runOptions(flags, speed, clock);
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
  const remarks$ = new Subject<string>();
  const prober = await simulatedRole({
    name: 'prober',
    assemble: assembleProber,
    longestSilence,
    streams: seedStreams,
    user: 'dependency-watchdog-prober',
    rate: gardenerRate,
    clock,
    chance: seededChance(run.seedNumber + 2),
    config,
    seed,
    journalDir: flags.journalDir,
    remark: (text) => remarks$.next(text),
  });
  const options: NetworkOptions = {
    ...run,
    places: prober.places,
    keep: flags.keep,
    keys: heard.keys,
    nodes: flags.nodes,
    firstShoot: seed.shoots[0]?.name ?? '',
    config,
    oldestRenewal: (shoot) => truth.oldestRenewal(shoot),
  };
  const story$ = playNetworkStory({
    clock,
    seed,
    truth,
    turns$: prober.turns$,
    remarks$,
    orders$: heard.orders$,
    lengths,
    twoPaths: hasTwoPaths(config),
    slack: slack * speed,
    every: lookEvery * speed,
  });
  try {
    return await tellStory({
      story$,
      summary: ({ after }) => networkSummary(after),
      teller: chosenStoryteller(flags.json, scene, {
        json: (out) => networkJson(options, out),
        words: () => networkWords(options),
      }),
      keep: flags.keep,
      interrupted: heard.interrupted,
      say,
    });
  } finally {
    heard.close();
    await prober.close();
    await seed.stop();
  }
}
