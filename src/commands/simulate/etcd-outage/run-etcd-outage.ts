import { firstValueFrom, merge, Subject, tap, type Observable } from 'rxjs';
import { seededChance } from '../../../adapters/clock/chance.ts';
import { readYamlConfig } from '../../../adapters/config/yaml-config.ts';
import { readProberConfig } from '../../../domain/config/read-prober-config.ts';
import type { Millis } from '../../../domain/time.ts';
import type { WeederConfig } from '../../../domain/weeder/weeder-config.ts';
import type { Clock } from '../../../effects/ports.ts';
import { startEmbeddedSeed, type EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import { gardenerProberConfig } from '../gardener-prober-config.ts';
import type { SimulateFlags } from '../simulate-flags.ts';
import type { Storyteller } from '../storyteller.ts';
import { storyJournal } from '../story-journal.ts';
import { tellStory } from '../tell-story.ts';
import { deletionChanges } from './deletion-changes.ts';
import type { EtcdOptions } from './etcd-options.ts';
import type { EtcdStoryLengths } from './etcd-story.ts';
import { etcdSummary, type EtcdSummary } from './etcd-summary.ts';
import { pacedClock } from './paced-clock.ts';
import { playEtcdStory, type Seen } from './play-etcd-story.ts';
import { ServiceTimes } from './service-times.ts';
import { simulatedWeeder, weederUser } from './simulated-weeder.ts';
import { stageChanges } from './stage-changes.ts';
import { variedGroups } from './varied-groups.ts';

export type EtcdOutageRun = Readonly<{
  flags: SimulateFlags;
  config: WeederConfig;
  configName: string;
  lengths: EtcdStoryLengths;
  /** How fast the clock runs, and how fast while the weeder works. */
  speed: number;
  slowSpeed: number;
  seedNumber: number;
  interrupted$: Observable<unknown>;
  clockAt: (speed: number) => Clock;
  /** For the operator, beside the story. */
  say: (line: string) => void;
  teller: (options: EtcdOptions) => Storyteller<Seen, EtcdSummary>;
}>;

/** In real time: what a story may be late by for the sake of this machine, how often it is looked at, and how long a deletion is on its way. */
const slack: Millis = 1_500;
const lookEvery: Millis = 50;
const onItsWay: Millis = 200;

/** Runs one simulation from its beginning to its end; answers the exit code. */
export async function runEtcdOutage(run: EtcdOutageRun): Promise<number> {
  const { flags, config, seedNumber, speed, slowSpeed, interrupted$ } = run;
  const interrupted = firstValueFrom(interrupted$).then(() => undefined);
  const clock = pacedClock(run.clockAt(1), slowSpeed);
  // Side by side, so that both begin at once; of one seed number, so that they would tell the same story.
  const [weeded, unaided] = await Promise.all([
    startControlPlanes(clock, seedNumber, flags.shoots),
    startControlPlanes(clock, seedNumber, flags.shoots),
  ]);
  const remarks$ = new Subject<string>();
  const remark = (text: string) => remarks$.next(text);
  const weeder$ = simulatedWeeder({ clock, chance: seededChance(seedNumber + 2), config, seed: weeded, remark });
  const kept = storyJournal({ clock, role: 'weeder', configuration: config, dir: flags.journalDir, say: run.say });
  const teller = run.teller({
    ...run,
    shoots: flags.shoots,
    firstShoot: weeded.controlPlanes[0]?.namespace ?? '',
    clock,
    again: flags.given.map((flag) => ` ${flag}`).join(''),
  });

  const weededTimes = new ServiceTimes(weeded, clock);
  const unaidedTimes = new ServiceTimes(unaided, clock);
  const check = { seed: weeded, clock, config, times: weededTimes, user: weederUser, slack: onItsWay * slowSpeed };
  const story$ = playEtcdStory({
    clock,
    paces: { usual: speed, slow: slowSpeed, after: Math.min(1, speed) },
    weeded,
    unaided,
    changes$: merge(
      stageChanges(weeded, 'weeded', clock, weededTimes),
      stageChanges(unaided, 'unaided', clock, unaidedTimes),
      deletionChanges(check),
    ),
    turns$: weeder$.pipe(tap((turn) => kept.observe(turn))),
    remarks$,
    lengths: run.lengths,
    slack,
    every: lookEvery,
  });
  try {
    return await tellStory({
      story$,
      isOver: ({ seen, after }) => seen.type === 'phase' && after.phase === 'over',
      summary: ({ after }) => etcdSummary(after),
      teller,
      keep: flags.keep,
      kubeconfig: weeded.kubeconfig,
      interrupted,
      say: run.say,
    });
  } finally {
    kept.close();
    await Promise.all([weeded.stop(), unaided.stop()]);
  }
}

/** A seed with nothing but control planes; two of one seed number are alike. */
async function startControlPlanes(clock: Clock, seedNumber: number, count: number): Promise<EmbeddedSeed> {
  const config = readYamlConfig(gardenerProberConfig, (written) => readProberConfig(written));
  if (!config.ok) throw new Error('the built-in configuration of the prober cannot be read');
  const chance = seededChance(seedNumber);
  const seed = await startEmbeddedSeed({ clock, chance, config: config.config, shoots: 0, nodes: 0 });
  const times = seededChance(seedNumber + 1);
  const width = Math.max(2, String(count).length);
  for (let number = 1; number <= count; number += 1)
    seed.addControlPlane(`shoot--demo--${String(number).padStart(width, '0')}`, variedGroups(times));
  return seed;
}
