import { headlineJson, headlineOf } from 'dependency-watchdog/adapters/record/episodes/headline.ts';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { scaledClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { readProberConfig } from 'dependency-watchdog/domain/config/read-prober-config.ts';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { startEmbeddedSeed } from '../../../embedded-seed.ts';
import { runStory } from '../story/run-story.ts';
import type { SimulateFlags } from '../story/simulate-flags.ts';
import { gardenerProberConfig, readStoryConfig } from '../story/story-config.ts';
import { sayTo, type StorySurroundings } from '../story/story-run.ts';
import { oldestRenewal } from './ground-truth.ts';
import { moreKinds } from './more-kinds.ts';
import { networkStoryLengths, speedFor } from './network-story.ts';
import { networkSummaryLines } from './network-summary-lines.ts';
import { networkSummary, summaryJson } from './network-summary.ts';
import { networkWords } from './network-words.ts';
import { twinName, type NetworkOptions } from './network-model.ts';
import { networkStory } from './play-network-story.ts';

/** Runs the prober on an embedded seed, and lets a gateway fail. Returns the exit code. */
export async function simulateNetworkOutage(flags: SimulateFlags, scene: StorySurroundings): Promise<number> {
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
    const alike = { clock, config, nodes: flags.nodes, moreKinds: moreKinds(config.dependants.map(({ ref }) => ref)) };
    const seed = await startEmbeddedSeed({
      ...alike,
      chance: seededChance(run.seedNumber),
      shoots: flags.shoots,
      // Some have 2, as in a highly available control plane, so that a wrong count after the outage is noticed.
      replicas: () => (replicas() < 0.5 ? 1 : 2),
      sharedCertificates: flags.shoots > mostCertificates,
    });
    const twinSeed = await startEmbeddedSeed({ ...alike, chance: seededChance(run.seedNumber), shoots: 1 });
    return {
      seeds: [seed, twinSeed],
      role: {
        name: 'prober',
        user: 'dependency-watchdog-prober',
        // As gardenlet sets them.
        args: ['--kube-api-qps=20', '--kube-api-burst=100'],
        chance: seededChance(run.seedNumber + 2),
        seed,
      },
      begin(started) {
        const options: NetworkOptions = { ...started, nodes: flags.nodes, config };
        const story = networkStory({ clock, seed, twinSeed, config, lengths, speed });
        const seen = {
          model: story.state,
          oldestRenewal: (shoot: ShootNamespace) =>
            shoot === twinName ? oldestRenewal(twinSeed, twinSeed.shoots[0]?.name ?? '') : oldestRenewal(seed, shoot),
        };
        return {
          story,
          words: networkWords(options, seen),
          summary() {
            const summary = networkSummary(story.state());
            const headline = headlineOf(story.episodes(), clock.now());
            const lines = networkSummaryLines(summary, options, {
              headline,
              columns: scene.terminal?.size().columns,
            });
            return { ok: summary.ok, json: { ...summaryJson(summary, options), ...headlineJson(headline) }, lines };
          },
        };
      },
    };
  });
}

function nameTwice({ dependants }: ProberConfig): string | undefined {
  const names = dependants.map(({ ref }) => ref.name);
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** With more shoots than this, all show one certificate, because making one takes longer than starting the rest of a shoot. */
const mostCertificates = 20;
