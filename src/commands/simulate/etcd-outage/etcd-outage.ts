import { systemChance } from '../../../adapters/clock/chance.ts';
import { scaledClock } from '../../../adapters/clock/wall-clock.ts';
import { readWeederConfig } from '../../../domain/config/read-weeder-config.ts';
import { chosenStoryteller } from '../chosen-storyteller.ts';
import { gardenerWeederConfig } from '../gardener-weeder-config.ts';
import { sayTo, type Scene } from '../scene.ts';
import type { SimulateFlags } from '../simulate-flags.ts';
import { readStoryConfig, usualConfigName } from '../story-config.ts';
import type { EtcdStoryLengths } from './etcd-story.ts';
import { etcdWords } from './etcd-words.ts';
import { jsonEtcdStoryteller } from './json-etcd-storyteller.ts';
import { runEtcdOutage } from './run-etcd-outage.ts';

/** What of the story does not depend on the configuration. */
export type EtcdStory = Readonly<{
  lengths: EtcdStoryLengths;
  /** How much faster than real time the clock runs where nobody says anything else. */
  speed: number;
  /** So much slower, but not below real time, it runs while the weeder works: that takes seconds, all else minutes. */
  slowMotion: number;
}>;

/**
 * After seven minutes every back-off has grown to five, and is about half over; from there on it takes two of them at worst,
 * one for the API servers and one for the controllers, until everything is well without any help. It takes half a minute.
 */
const usualStory: EtcdStory = {
  lengths: { calm: 60_000, outage: 420_000, recovery: 660_000, pause: 5_000 },
  speed: 60,
  slowMotion: 20,
};

/** Of more control planes than these two cores would fall behind a clock of that speed. */
const mostAtSpeed = 15;

/** Runs the weeder on one of two seeds that are alike, and lets etcd fail on both; answers the exit code. */
export async function simulateEtcdOutage(
  flags: SimulateFlags,
  scene: Scene,
  { lengths, slowMotion, ...story }: EtcdStory = usualStory,
): Promise<number> {
  const config = await readStoryConfig(
    flags.configFile,
    gardenerWeederConfig,
    (written) => readWeederConfig(written),
    scene,
  );
  if (config === undefined) return 1;
  const speed = flags.speed ?? Math.ceil(story.speed * Math.min(1, mostAtSpeed / flags.shoots));
  return await runEtcdOutage({
    flags,
    config,
    configName: flags.configFile ?? usualConfigName,
    lengths,
    speed,
    slowSpeed: Math.max(Math.min(1, speed), Math.round((10 * speed) / slowMotion) / 10),
    seedNumber: flags.seed ?? Math.floor(systemChance() * 2 ** 32),
    interrupted$: scene.interrupted$,
    clockAt: scene.clockAt ?? scaledClock,
    say: sayTo(scene),
    teller: (options) =>
      chosenStoryteller(flags.json, scene, {
        json: (out) => jsonEtcdStoryteller(options, out),
        words: () => etcdWords(options),
      }),
  });
}
