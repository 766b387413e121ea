import { map, merge } from 'rxjs';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { scaledClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { readWeederConfig } from 'dependency-watchdog/domain/config/read-weeder-config.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { runStory } from '../story/run-story.ts';
import type { SimulateFlags } from '../story/simulate-flags.ts';
import { gardenerWeederConfig, readStoryConfig, gardenerProberConfig } from '../story/story-config.ts';
import type { StorySurroundings } from '../story/story-run.ts';
import { deletionChanges } from './deletion-check.ts';
import { deletionEvent } from './etcd-events.ts';
import { etcdStory, type EtcdStoryLengths } from './play-etcd-story.ts';
import { etcdSummaryLines } from './etcd-summary-lines.ts';
import { etcdSummary, etcdSummaryJson } from './etcd-summary.ts';
import { etcdWords, type EtcdOptions } from './etcd-words.ts';
import { pacedClock } from './paced-clock.ts';
import { ServiceTimes, stageChanges } from './stages.ts';
import { readYamlConfig } from 'dependency-watchdog/adapters/config/yaml-config.ts';
import { readProberConfig } from 'dependency-watchdog/domain/config/read-prober-config.ts';
import type { Chance, Clock } from 'dependency-watchdog/effects/ports.ts';
import type { Authorize } from '../../../api/access.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '../../../embedded-seed.ts';
import { gardenerControlPlane, type PodGroup } from '../../../workloads/pod-group.ts';

/** The parts of the story that do not depend on the configuration. */
export type EtcdStory = Readonly<{
  lengths: EtcdStoryLengths;
  /** How much faster than real time the clock runs, unless a flag says otherwise. */
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

/** With more control planes than this, two cores would fall behind a clock of that speed. */
const mostAtSpeed = 15;

/** In real time: how long a deletion is on its way at most. */
const onItsWay: Millis = 200;

/** Runs the weeder on one of two equal seeds, and lets etcd fail on both. Returns the exit code. */
export async function simulateEtcdOutage(
  flags: SimulateFlags,
  scene: StorySurroundings,
  story: EtcdStory = usualStory,
): Promise<number> {
  const config = await readStoryConfig(
    flags.configFile,
    gardenerWeederConfig,
    (written) => readWeederConfig(written),
    scene,
  );
  if (config === undefined) return 1;
  const speed = flags.speed ?? Math.ceil(story.speed * Math.min(1, mostAtSpeed / flags.shoots));
  const slowSpeed = Math.max(Math.min(1, speed), Math.round((10 * speed) / story.slowMotion) / 10);
  const speedAfter = Math.min(1, speed);
  const clock = pacedClock((scene.clockAt ?? scaledClock)(1), slowSpeed);
  return await runStory(flags, scene, { speed, clock, config }, async (run) => {
    // Started together, so that both begin at once; with one seed number, so that the same things happen on both.
    const [weeded, unaided] = await Promise.all([
      startControlPlanes(clock, run.seedNumber, flags.shoots),
      startControlPlanes(clock, run.seedNumber, flags.shoots),
    ]);
    const weededTimes = new ServiceTimes(weeded, clock);
    const unaidedTimes = new ServiceTimes(unaided, clock);
    const check = { seed: weeded, clock, config, times: weededTimes, user: weederUser, slack: onItsWay * slowSpeed };
    return {
      seeds: [weeded, unaided],
      role: {
        name: 'weeder',
        user: weederUser,
        chance: seededChance(run.seedNumber + 2),
        seed: weeded,
      },
      begin(started) {
        const options: EtcdOptions = { ...started, clock, slowSpeed, speedAfter, config };
        const playing = etcdStory({
          clock,
          paces: { usual: speed, slow: slowSpeed, after: speedAfter },
          weeded,
          unaided,
          changes$: (model) =>
            merge(
              stageChanges(weeded, 'weeded', clock, weededTimes, model),
              stageChanges(unaided, 'unaided', clock, unaidedTimes, model),
              deletionChanges(check).pipe(map(({ at, ...deletion }) => deletionEvent(model(), at, deletion))),
            ),
          lengths: story.lengths,
        });
        return {
          story: playing,
          words: etcdWords(options, playing.state),
          summary() {
            const summary = etcdSummary(playing.state());
            const lines = etcdSummaryLines(summary, options);
            return { ok: summary.ok, json: etcdSummaryJson(summary, options), lines };
          },
        };
      },
    };
  });
}

export const weederUser = 'dependency-watchdog-weeder';

/** What Gardener grants the weeder in the seed. */
const granted: Readonly<Record<string, readonly string[]>> = {
  pods: ['get', 'list', 'watch', 'delete'],
  endpointslices: ['get', 'list', 'watch'],
};

/** Permits the weeder what Gardener grants it, and everybody else everything. */
export const weederGrants: Authorize = ({ user, verb, resource }) =>
  user !== weederUser || granted[resource]?.includes(verb) === true;

/** A seed with nothing but control planes. Two with one seed number are equal. */
async function startControlPlanes(clock: Clock, seedNumber: number, count: number): Promise<EmbeddedSeed> {
  const config = readYamlConfig(gardenerProberConfig, (written) => readProberConfig(written));
  if (!config.ok) throw new Error('the built-in configuration of the prober cannot be read');
  const chance = seededChance(seedNumber);
  const seed = await startEmbeddedSeed({
    clock,
    chance,
    config: config.config,
    shoots: 0,
    nodes: 0,
    authorize: weederGrants,
  });
  const times = seededChance(seedNumber + 1);
  const width = Math.max(2, String(count).length);
  for (let number = 1; number <= count; number += 1)
    seed.addControlPlane(`shoot--demo--${String(number).padStart(width, '0')}`, variedGroups(times));
  return seed;
}

/**
 * A control plane's pods. Each group has times of its own, from half as long to half as long again. With equal times all pods
 * would leave their back-offs at the same instant, which happens on no real seed.
 */
function variedGroups(chance: Chance): readonly PodGroup[] {
  const varied = (length: number): number => Math.round(length * (0.5 + chance()));
  return gardenerControlPlane.map((group) => ({
    ...group,
    startTime: varied(group.startTime),
    failsAfter: varied(group.failsAfter ?? 1_000),
    toleratesFor: varied(group.toleratesFor),
  }));
}
