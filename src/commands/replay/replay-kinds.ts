import { kindEpisodes, type KindEpisodes } from '../../adapters/episodes/episode-courses.ts';
import { journalKinds, type JournalKinds } from '../../adapters/journal/journal-kinds.ts';
import type { ReplayMachines } from '../../adapters/journal/replay-journal.ts';
import { kindWords, type KindWords } from '../../adapters/words/turn-words.ts';
import { pureMachines, type LanguageMap, type Languages } from '../../machines/kinds.ts';
import { kindInterests, type KindInterests } from './turn-interest.ts';

/** All that a replay needs to know of the kinds of machines. */
export type ReplayKinds<Spoken extends LanguageMap<Spoken>> = Readonly<{
  machines: ReplayMachines<Spoken>;
  journal: JournalKinds<Spoken>;
  interests: KindInterests<Spoken>;
  words: KindWords<Spoken>;
  episodes: KindEpisodes<Spoken, string>;
}>;

export const replayKinds: ReplayKinds<Languages> = {
  machines: pureMachines,
  journal: journalKinds,
  interests: kindInterests,
  words: kindWords,
  episodes: kindEpisodes,
};
