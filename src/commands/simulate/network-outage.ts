import { systemChance } from '../../adapters/clock/chance.ts';
import { scaledClock } from '../../adapters/clock/wall-clock.ts';
import { readProberConfig } from '../../domain/config/read-prober-config.ts';
import type { ProberConfig } from '../../domain/prober/prober-config.ts';
import { chosenStoryteller } from './chosen-storyteller.ts';
import { gardenerProberConfig } from './gardener-prober-config.ts';
import { jsonStoryteller } from './json-storyteller.ts';
import { networkWords } from './network-words.ts';
import { runSimulation } from './run-simulation.ts';
import { sayTo, type Scene } from './scene.ts';
import type { SimulateFlags } from './simulate-flags.ts';
import { readStoryConfig, usualConfigName } from './story-config.ts';
import { speedFor, storyLengths } from './story-lengths.ts';

/** Runs the prober on a seed of its own, and lets a gateway fail; answers the exit code. */
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
    say(`it cannot play two dependants of one name, and ${twice} is there twice`);
    return 1;
  }

  const lengths = storyLengths(config);
  return await runSimulation({
    flags,
    config,
    configName: flags.configFile ?? usualConfigName,
    lengths,
    speed: flags.speed ?? speedFor(lengths),
    seedNumber: flags.seed ?? Math.floor(systemChance() * 2 ** 32),
    interrupted$: scene.interrupted$,
    clockAt: scene.clockAt ?? scaledClock,
    say,
    teller: (options) =>
      chosenStoryteller(flags.json, scene, {
        json: (out) => jsonStoryteller(options, out),
        words: () => networkWords(options),
      }),
  });
}

function nameTwice({ dependants }: ProberConfig): string | undefined {
  const names = dependants.map(({ ref }) => ref.name);
  return names.find((name, index) => names.indexOf(name) !== index);
}
