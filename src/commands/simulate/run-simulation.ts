import { firstValueFrom, Subject, tap, type Observable } from 'rxjs';
import { seededChance } from '../../adapters/clock/chance.ts';
import type { ProberConfig } from '../../domain/prober/prober-config.ts';
import type { Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { startEmbeddedSeed } from '../../simulator/embedded-seed.ts';
import { EmbeddedWorld } from './embedded-world.ts';
import { moreKinds } from './more-kinds.ts';
import type { NetworkOptions } from './network-options.ts';
import { playStory, type Seen } from './play-story.ts';
import { simulatedProber } from './simulated-prober.ts';
import type { SimulateFlags } from './simulate-flags.ts';
import type { StoryLengths } from './story-lengths.ts';
import { storySummary, type StorySummary } from './story-summary.ts';
import type { Storyteller } from './storyteller.ts';
import { storyJournal } from './story-journal.ts';
import { tellStory } from './tell-story.ts';

export type SimulationRun = Readonly<{
  flags: SimulateFlags;
  config: ProberConfig;
  configName: string;
  lengths: StoryLengths;
  speed: number;
  seedNumber: number;
  interrupted$: Observable<unknown>;
  clockAt: (speed: number) => Clock;
  /** For the operator, beside the story. */
  say: (line: string) => void;
  teller: (options: NetworkOptions) => Storyteller<Seen, StorySummary>;
}>;

/** In real time: what a story may be late by for the sake of this machine, and how often it is looked at. */
const slack: Millis = 1_500;
const lookEvery: Millis = 50;

/** Beyond it, all shoots show one certificate: making one takes longer than starting the rest of a shoot. */
const mostCertificates = 20;

/** Runs one simulation from its beginning to its end; answers the exit code. */
export async function runSimulation(run: SimulationRun): Promise<number> {
  const { flags, config, speed, seedNumber, interrupted$ } = run;
  const interrupted = firstValueFrom(interrupted$).then(() => undefined);
  const clock = run.clockAt(speed);
  const replicas = seededChance(seedNumber + 1);
  const seed = await startEmbeddedSeed({
    clock,
    chance: seededChance(seedNumber),
    config,
    shoots: flags.shoots,
    nodes: flags.nodes,
    // 2 as in a highly available control plane: what comes back must be what there was.
    replicas: () => (replicas() < 0.5 ? 1 : 2),
    moreKinds: moreKinds(config.dependants.map(({ ref }) => ref)),
    sharedCertificates: flags.shoots > mostCertificates,
  });
  const remarks$ = new Subject<string>();
  const remark = (text: string) => remarks$.next(text);
  const prober$ = simulatedProber({ clock, chance: seededChance(seedNumber + 2), config, seed, remark });
  const kept = storyJournal({ clock, role: 'prober', configuration: config, dir: flags.journalDir, say: run.say });
  const world = new EmbeddedWorld(seed, clock, config);
  const teller = run.teller({
    ...run,
    shoots: flags.shoots,
    nodes: flags.nodes,
    firstShoot: seed.shoots[0]?.name ?? '',
    clock,
    world,
    again: flags.given.map((flag) => ` ${flag}`).join(''),
  });

  const story$ = playStory({
    clock,
    seed,
    world,
    turns$: prober$.pipe(tap((turn) => kept.observe(turn))),
    remarks$,
    lengths: run.lengths,
    slack: slack * speed,
    every: lookEvery * speed,
  });
  try {
    return await tellStory({
      story$,
      isOver: ({ seen, after }) => seen.type === 'phase' && after.phase === 'over',
      summary: ({ after }) => storySummary(after),
      teller,
      keep: flags.keep,
      kubeconfig: seed.kubeconfig,
      interrupted,
      say: run.say,
    });
  } finally {
    kept.close();
    await seed.stop();
  }
}
