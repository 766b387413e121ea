import { Subject } from 'rxjs';
import type { ShootNamespace, RoleName } from 'dependency-watchdog/domain/names.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { ConfigOf, TurnOf } from 'dependency-watchdog/commands/role/run-role-in-process.ts';
import type { EmbeddedSeed } from '../../../embedded-seed.ts';
import { calledAs } from 'dependency-watchdog/commands/build.ts';
import { hearOrders } from './orders.ts';
import { whyLines } from './places.ts';
import { playStory } from './play-story.ts';
import type { SimulateFlags } from './simulate-flags.ts';
import { simulatedRole, type SimulatedRoleOptions } from './simulated-role.ts';
import type { Story, Summed } from './story.ts';
import { runOptions, sayTo, type RunOptions, type StorySurroundings, type StartedRun } from './story-run.ts';
import { chosenOutput, type StoryWords } from './story-output.ts';

/** A story whose seeds are there: who plays in it, what happens, and how it is shown. */
type StartedStory<Name extends RoleName, Phase, Row> = Readonly<{
  seeds: readonly EmbeddedSeed[];
  role: Omit<SimulatedRoleOptions<Name>, 'clock' | 'config' | 'journalDir' | 'remark'>;
  /** Begins once the role is there. */
  begin: (
    run: StartedRun,
  ) => Readonly<{ story: Story<Phase, Row, TurnOf[Name]>; words: StoryWords; summary: () => Summed }>;
}>;

/**
 * Plays a story to its end, or until it is interrupted, and shows it. With `keep` it goes on until it is interrupted, and each further
 * outage is summed up as the first was. Answers the exit code.
 */
export async function runStory<
  Name extends RoleName,
  Phase extends string,
  Row extends Readonly<{ shoot: ShootNamespace }>,
>(
  flags: SimulateFlags,
  scene: StorySurroundings,
  { speed, clock, config }: Readonly<{ speed: number; clock: Clock; config: ConfigOf[Name] }>,
  start: (run: RunOptions) => Promise<StartedStory<Name, Phase, Row>>,
): Promise<number> {
  const { keep, journalDir } = flags;
  // Somebody may want the run to end while it starts.
  const { orders$, keys, interrupted, close } = hearOrders(scene, flags);
  const options = runOptions(flags, speed, clock);
  const { seeds, role: own, begin } = await start(options);
  const remarks$ = new Subject<string>();
  const remark = (text: string): void => remarks$.next(text);
  const role = await simulatedRole({ ...own, clock, config, journalDir, remark });
  const { story, words, summary } = begin({ ...options, places: role.places, keep, keys });
  const { startedAt } = story.state();
  const output = chosenOutput(flags, scene, role.places, { ...words, startedAt });
  const first = Promise.withResolvers<'over'>();
  let [isFirst, isOver, isGood] = [true, false, true];
  const playing = playStory(story, { turns$: role.turns$, remarks$, orders$ }).subscribe({
    next(event) {
      output.saw(event);
      if (event.json?.kind !== 'phase') return;
      isOver = story.state().phase === 'over';
      if (!isOver) return;
      const summed = summary();
      isGood &&= summed.ok;
      output.summary(summed);
      if (keep) output.kept(isFirst);
      else output.over(whyLines(journalDir, calledAs() ?? 'dependency-watchdog'));
      isFirst = false;
      first.resolve('over');
    },
    error: first.reject,
  });
  try {
    if ((await Promise.race([first.promise, interrupted])) === 'over' && keep) await interrupted;
    if (isOver) return isGood ? 0 : 1;
    output.end();
    sayTo(scene)('interrupted before the outage was over');
    return 1;
  } finally {
    playing.unsubscribe();
    output.end();
    close();
    await role.close();
    await Promise.all(seeds.map((seed) => seed.stop()));
  }
}
