import { firstValueFrom, ReplaySubject, type Observable } from 'rxjs';
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

/** Plays a story to its end, or until it is interrupted, and lets the storyteller tell it; answers the exit code. */
export async function tellStory<Seen extends SeenStory, Summary extends Readonly<{ ok: boolean }>>(
  run: StoryRun<Seen, Summary>,
): Promise<number> {
  const { teller, interrupted } = run;
  const over = new ReplaySubject<Seen>(1);
  const telling = run.story$.subscribe({
    next(seen) {
      teller.saw(seen);
      if (seen.seen.type === 'phase' && seen.after.phase === 'over') over.next(seen);
    },
    error: (error: unknown) => over.error(error),
  });
  try {
    const last = await Promise.race([firstValueFrom(over), interrupted]);
    teller.end();
    if (last === undefined) {
      run.say('it was interrupted before the story was over');
      return 1;
    }
    const summary = run.summary(last);
    teller.summary(summary);
    if (run.keep) {
      teller.kept();
      await interrupted;
    }
    return summary.ok ? 0 : 1;
  } finally {
    telling.unsubscribe();
    teller.end();
  }
}
