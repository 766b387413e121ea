import { systemChance } from '../../../adapters/chance.ts';
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

/**
 * After seven minutes every back-off has grown to five, and is about half over; from there on it takes two of them at worst,
 * one for the API servers and one for the controllers, until everything is well without any help.
 */
const usualLengths: EtcdStoryLengths = { calm: 60_000, outage: 420_000, recovery: 660_000, pause: 5_000 };

/** The whole of it takes half a minute then. */
const usualSpeed = 60;

/** So much slower, but not below real time, runs the clock while the weeder works: that takes seconds, all else minutes. */
const slowMotion = 30;

/** Runs the weeder on one of two seeds that are alike, and lets etcd fail on both; answers the exit code. */
export async function simulateEtcdOutage(
  flags: SimulateFlags,
  scene: Scene,
  lengths: EtcdStoryLengths = usualLengths,
): Promise<number> {
  const config = await readStoryConfig(
    flags.configFile,
    gardenerWeederConfig,
    (written) => readWeederConfig(written),
    scene,
  );
  if (config === undefined) return 1;
  const speed = flags.speed ?? usualSpeed;
  return await runEtcdOutage({
    flags,
    config,
    configName: flags.configFile ?? usualConfigName,
    lengths,
    speed,
    slowSpeed: Math.max(Math.min(1, speed), speed / slowMotion),
    seedNumber: flags.seed ?? Math.floor(systemChance() * 2 ** 32),
    interrupted$: scene.interrupted$,
    say: sayTo(scene),
    teller: (options) =>
      chosenStoryteller(flags.json, scene, {
        json: (out) => jsonEtcdStoryteller(options, out),
        words: () => etcdWords(options),
      }),
  });
}
