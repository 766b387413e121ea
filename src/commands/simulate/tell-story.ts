import { firstValueFrom, ReplaySubject, type Observable } from 'rxjs';
import { keepKubeconfig } from './keep-kubeconfig.ts';
import type { SeenStory } from './story-words.ts';
import type { Storyteller } from './storyteller.ts';

export type ToldStory<Seen extends SeenStory, Summary extends Readonly<{ ok: boolean }>> = Readonly<{
  /** Goes on after the story is over, for as long as the world is kept. */
  story$: Observable<Seen>;
  isOver: (seen: Seen) => boolean;
  summary: (last: Seen) => Summary;
  teller: Storyteller<Seen, Summary>;
  /** Whether the world goes on after the summary, and who may look into it then. */
  keep: boolean;
  kubeconfig: string;
  interrupted: Promise<undefined>;
  /** For the operator, beside the story. */
  say: (line: string) => void;
}>;

/** Plays a story to its end, or until it is interrupted, and has it told; answers the exit code. */
export async function tellStory<Seen extends SeenStory, Summary extends Readonly<{ ok: boolean }>>(
  told: ToldStory<Seen, Summary>,
): Promise<number> {
  const { teller, interrupted } = told;
  const over = new ReplaySubject<Seen>(1);
  const telling = told.story$.subscribe({
    next(seen) {
      teller.saw(seen);
      if (told.isOver(seen)) over.next(seen);
    },
    error: (error: unknown) => over.error(error),
  });
  try {
    const last = await Promise.race([firstValueFrom(over), interrupted]);
    teller.end();
    if (last === undefined) {
      told.say('it was interrupted before the story was over');
      return 1;
    }
    const summary = told.summary(last);
    teller.summary(summary);
    if (told.keep) {
      await using kubeconfig = await keepKubeconfig(told.kubeconfig);
      teller.kept(kubeconfig.path);
      await interrupted;
    }
    return summary.ok ? 0 : 1;
  } finally {
    telling.unsubscribe();
    teller.end();
  }
}
