import type { EpisodeDraft } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import type { LeadEvent } from '../../episodes/led-runs.ts';
import type { JournalHeader, JournalTurns } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { Difference, Replayed } from '../../journal/machine-replay.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';

/** One recorded turn with what came of replaying it. */
type ReplayedTurn = Readonly<{
  turn: JournalTurns[keyof Languages];
  replayed: Replayed;
  place: string;
  eventful: boolean;
}>;

export type ReplaySummary = Readonly<{
  /** Of those that were asked for: of one shoot, of a time. */
  turns: number;
  /** Of each kind, how many machines they are of. */
  subjects: Readonly<Record<keyof Languages, number>>;
  /** Of the turns, those that could be replayed. What was not asked for is checked too, but not counted. */
  checked: number;
  /** A machine ended by them: the runtime says so, and no machine takes them. */
  ended: number;
  /** Nothing before them tells where their machine stood. */
  withoutBeginning: number;
  /** Lines that could not be read, beside those that end a file. */
  damaged: number;
  /** Each machine's first turn that came out otherwise, in the journal's order. */
  differences: readonly Readonly<{
    turn: JournalTurns[keyof Languages];
    place: string;
    difference: Difference;
  }>[];
  /** What happened, in the order in which it began, as far as the time which was asked for touches it; `episodesLeftOut` more are beyond what is kept. */
  episodes: readonly EpisodeDraft[];
  episodesLeftOut: number;
  /** They were told already. */
  told?: true;
  /** Who took the lead, and who ended, oldest first: in the time that was asked for, or within the episodes of the namespace. */
  leads: readonly LeadEvent[];
  /** A sentence for each source that is no journal. */
  noJournals: readonly string[];
  /** All that was read, whatever was asked for. */
  read: Readonly<{ turns: number; firstAt: Instant; lastAt: Instant; namespaces: ReadonlySet<string> }>;
  /** Where each machine ended whose shoot or service is still there, as recorded. */
  finalStates: ReadonlyMap<string, FinalState>;
}>;

export type FinalState = Readonly<{
  kind: keyof Languages;
  state: Languages[keyof Languages]['State'];
}>;

/** How a replay is told; each answer is the lines to be written, possibly none. */
export type ReplayReport = Readonly<{
  opened(header: JournalHeader, source: string): readonly string[];
  turn(replayed: ReplayedTurn): readonly string[];
  /** Every turn, whatever was asked for. */
  taken?(turn: JournalTurns[keyof Languages], run: string): void;
  cutOff(place: string): readonly string[];
  /** `ends`: the rest of this file could not be read either. */
  damaged(place: string, problem: string, ends: boolean): readonly string[];
  end(summary: ReplaySummary): readonly string[];
}>;
