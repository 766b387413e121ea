import type { Observable } from 'rxjs';
import type { SeenStory, Storyteller } from './storyteller.ts';

type StoryRun<Seen extends SeenStory, Summary extends Readonly<{ ok: boolean }>> = Readonly<{
  /** Goes on after the story is over, as long as the seed stays up. */
  story$: Observable<Seen>;
  summary: (last: Seen) => Summary;
  teller: Storyteller<Seen, Summary>;
  /** Whether the seed stays up after the summary. */
  keep: boolean;
  interrupted: Promise<undefined>;
  /** Prints a line for the operator that is not part of the story. */
  say: (line: string) => void;
}>;

/**
 * Plays a story to its end, or until it is interrupted, and lets the storyteller tell it. With `keep` it goes on until it is
 * interrupted, and each further outage is summed up as the first was. Answers the exit code.
 */
export async function tellStory<Seen extends SeenStory, Summary extends Readonly<{ ok: boolean }>>(
  run: StoryRun<Seen, Summary>,
): Promise<number> {
  const { teller, interrupted, keep } = run;
  const first = Promise.withResolvers<'over'>();
  let [isFirst, isOver, isGood] = [true, false, true];
  const telling = run.story$.subscribe({
    next(seen) {
      teller.saw(seen);
      if (seen.seen.type !== 'phase') return;
      isOver = seen.after.phase === 'over';
      if (!isOver) return;
      const summary = run.summary(seen);
      isGood &&= summary.ok;
      teller.summary(summary);
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
    run.say('interrupted before the outage was over');
    return 1;
  } finally {
    telling.unsubscribe();
    teller.end();
  }
}
