import { Subject } from 'rxjs';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { Clock } from '../../../effects/ports.ts';
import type { Turn } from '../../../effects/turn.ts';
import type { EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import { hearOrders } from './orders.ts';
import { playStory, type Story } from './play-story.ts';
import type { SimulateFlags } from './simulate-flags.ts';
import { simulatedRole, type SimulatedRoleOptions } from './simulated-role.ts';
import type { Seen, StoryModel, StoryRemark } from './story-model.ts';
import { runOptions, sayTo, type RunOptions, type Scene, type StartedRun } from './story-run.ts';
import { chosenStoryteller, type SeenStory, type StoryJson, type StoryWords } from './storyteller.ts';

/** A story whose seeds are there: who plays in it, what happens, and how it is told. */
type StartedStory<
  Config,
  Phase,
  Row,
  Model extends StoryModel<string, unknown>,
  Observed extends Observation,
  OwnTurn extends Turn,
  Summary,
> = Readonly<{
  seeds: readonly EmbeddedSeed[];
  role: Omit<SimulatedRoleOptions<Config, OwnTurn>, 'clock' | 'config' | 'journalDir' | 'remark'>;
  story: Story<Phase, Row, Model, Observed, OwnTurn>;
  summary: (model: Model) => Summary;
  words: (run: StartedRun) => StoryWords<Seen<Model, Observed | StoryRemark>, Summary>;
  json: (run: StartedRun) => StoryJson<Seen<Model, Observed | StoryRemark>, Summary>;
}>;

type Observation = SeenStory['seen'];

/**
 * Plays a story to its end, or until it is interrupted, and tells it. With `keep` it goes on until it is interrupted, and each further
 * outage is summed up as the first was. Answers the exit code.
 */
export async function runStory<
  Config,
  Phase extends string,
  Row extends Readonly<{ shoot: ShootNamespace }>,
  Model extends StoryModel<Phase, Row>,
  Observed extends Observation,
  OwnTurn extends Turn,
  Summary extends Readonly<{ ok: boolean }>,
>(
  flags: SimulateFlags,
  scene: Scene,
  { speed, clock, config }: Readonly<{ speed: number; clock: Clock; config: Config }>,
  start: (run: RunOptions) => Promise<StartedStory<Config, Phase, Row, Model, Observed, OwnTurn, Summary>>,
): Promise<number> {
  const { keep, json: asJson, journalDir } = flags;
  // Somebody may want the run to end while it starts.
  const { orders$, keys, interrupted, close } = hearOrders(scene, flags);
  const options = runOptions(flags, speed, clock);
  const { seeds, role: own, story, summary, words, json } = await start(options);
  const remarks$ = new Subject<string>();
  const remark = (text: string): void => remarks$.next(text);
  const role = await simulatedRole({ ...own, clock, config, journalDir, remark });
  const run = { ...options, places: role.places, keep, keys };
  const teller = chosenStoryteller(asJson, scene, run, { json: () => json(run), words: () => words(run) });
  const first = Promise.withResolvers<'over'>();
  let [isFirst, isOver, isGood] = [true, false, true];
  const telling = playStory(story, { turns$: role.turns$, remarks$, orders$ }).subscribe({
    next(seen) {
      teller.saw(seen);
      if (seen.seen.type !== 'phase') return;
      isOver = seen.after.phase === 'over';
      if (!isOver) return;
      const summed = summary(seen.after);
      isGood &&= summed.ok;
      teller.summary(summed);
      if (keep) teller.kept(isFirst);
      isFirst = false;
      first.resolve('over');
    },
    error: first.reject,
  });
  try {
    if ((await Promise.race([first.promise, interrupted])) === 'over' && keep) await interrupted;
    if (isOver) return isGood ? 0 : 1;
    teller.end();
    sayTo(scene)('interrupted before the outage was over');
    return 1;
  } finally {
    telling.unsubscribe();
    teller.end();
    close();
    await role.close();
    await Promise.all(seeds.map((seed) => seed.stop()));
  }
}
