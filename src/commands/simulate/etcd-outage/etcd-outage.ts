import { merge, Subject } from 'rxjs';
import { seededChance } from '../../../adapters/clock/chance.ts';
import { scaledClock } from '../../../adapters/clock/wall-clock.ts';
import { longestWeederSilence } from '../../../adapters/http/health.ts';
import { defaultRate } from '../../../adapters/seed-client/rate.ts';
import { readWeederConfig } from '../../../domain/config/read-weeder-config.ts';
import type { Millis } from '../../../domain/time.ts';
import type { WeederConfig } from '../../../domain/weeder/weeder-config.ts';
import { assembleWeeder, weederStreams } from '../../role/assemble-weeder.ts';
import { hearOrders } from '../story/orders.ts';
import type { SimulateFlags } from '../story/simulate-flags.ts';
import { simulatedRole } from '../story/simulated-role.ts';
import { gardenerWeederConfig, readStoryConfig } from '../story/story-config.ts';
import { runOptions, sayTo, type Scene } from '../story/story-run.ts';
import { chosenStoryteller } from '../story/storyteller.ts';
import { tellStory } from '../story/tell-story.ts';
import { deletionChanges } from './deletion-check.ts';
import { etcdJson } from './etcd-json.ts';
import type { EtcdStoryLengths } from './etcd-story.ts';
import { etcdSummary } from './etcd-summary.ts';
import { etcdWords } from './etcd-words.ts';
import type { EtcdOptions } from './observation.ts';
import { pacedClock } from './paced-clock.ts';
import { playEtcdStory } from './play-etcd-story.ts';
import { ServiceTimes } from './service-times.ts';
import { stageChanges } from './stages.ts';
import { startControlPlanes, weederUser } from './start-control-planes.ts';

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

/** In real time: how much later each deadline is, because this machine is busy with other things too. */
const slack: Millis = 1_500;
/** In real time: how often we look at the story. */
const lookEvery: Millis = 50;
/** In real time: how long a deletion is on its way at most. */
const onItsWay: Millis = 200;

/** Runs the weeder on one of two equal seeds, and lets etcd fail on both. Returns the exit code. */
export async function simulateEtcdOutage(
  flags: SimulateFlags,
  scene: Scene,
  story: EtcdStory = usualStory,
): Promise<number> {
  const config = await readStoryConfig(
    flags.configFile,
    gardenerWeederConfig,
    (written) => readWeederConfig(written),
    scene,
  );
  return config === undefined ? 1 : await playEtcdOutage(flags, config, scene, story);
}

/** Plays the story from beginning to end. Returns the exit code. */
async function playEtcdOutage(
  flags: SimulateFlags,
  config: WeederConfig,
  scene: Scene,
  story: EtcdStory,
): Promise<number> {
  const heard = hearOrders(scene, flags);
  const say = sayTo(scene);
  const speed = flags.speed ?? Math.ceil(story.speed * Math.min(1, mostAtSpeed / flags.shoots));
  const slowSpeed = Math.max(Math.min(1, speed), Math.round((10 * speed) / story.slowMotion) / 10);
  const speedAfter = Math.min(1, speed);
  const clock = pacedClock((scene.clockAt ?? scaledClock)(1), slowSpeed);
  const run = runOptions(flags, speed, clock);
  // Started together, so that both begin at once; with one seed number, so that the same things happen on both.
  const [weeded, unaided] = await Promise.all([
    startControlPlanes(clock, run.seedNumber, flags.shoots),
    startControlPlanes(clock, run.seedNumber, flags.shoots),
  ]);
  const remarks$ = new Subject<string>();
  const weeder = await simulatedRole({
    name: 'weeder',
    assemble: assembleWeeder,
    longestSilence: longestWeederSilence,
    streams: () => weederStreams,
    user: weederUser,
    // gardenlet gives the weeder no rate, so the flags' defaults apply.
    rate: defaultRate,
    clock,
    chance: seededChance(run.seedNumber + 2),
    config,
    seed: weeded,
    journalDir: flags.journalDir,
    remark: (text) => remarks$.next(text),
  });
  const options: EtcdOptions = {
    ...run,
    places: weeder.places,
    keep: flags.keep,
    keys: heard.keys,
    clock,
    slowSpeed,
    speedAfter,
    firstShoot: weeded.controlPlanes[0]?.namespace ?? '',
    config,
  };
  const weededTimes = new ServiceTimes(weeded, clock);
  const unaidedTimes = new ServiceTimes(unaided, clock);
  const check = { seed: weeded, clock, config, times: weededTimes, user: weederUser, slack: onItsWay * slowSpeed };
  const story$ = playEtcdStory({
    clock,
    paces: { usual: speed, slow: slowSpeed, after: speedAfter },
    weeded,
    unaided,
    changes$: merge(
      stageChanges(weeded, 'weeded', clock, weededTimes),
      stageChanges(unaided, 'unaided', clock, unaidedTimes),
      deletionChanges(check),
    ),
    turns$: weeder.turns$,
    remarks$,
    orders$: heard.orders$,
    lengths: story.lengths,
    slack,
    every: lookEvery,
  });
  try {
    return await tellStory({
      story$,
      summary: ({ after }) => etcdSummary(after),
      teller: chosenStoryteller(flags.json, scene, {
        json: (out) => etcdJson(options, out),
        words: () => etcdWords(options),
      }),
      keep: flags.keep,
      interrupted: heard.interrupted,
      say,
    });
  } finally {
    heard.close();
    await weeder.close();
    await Promise.all([weeded.stop(), unaided.stop()]);
  }
}
