import type { JournalHeader, JournalTurn } from '../../adapters/journal/journal-line.ts';
import type { Difference, Replayed } from '../../adapters/journal/replay-courses.ts';
import type { Subject } from '../../adapters/turns/subject-of.ts';

/** One recorded turn with what came of taking it again. */
type ReplayedTurn = Readonly<{ turn: JournalTurn; replayed: Replayed; place: string; eventful: boolean }>;

export type ReplaySummary = Readonly<{
  turns: number;
  shoots: number;
  services: number;
  /** Of the turns, those that could be taken again. */
  checked: number;
  /** Nothing before them tells where their machine stood. */
  withoutBeginning: number;
  /** Lines that could not be read, beside those that end a file. */
  damaged: number;
  /** Each machine's first turn that came out otherwise, in the journal's order. */
  differences: readonly Readonly<{ turn: JournalTurn; place: string; difference: Difference }>[];
  /** Where each machine ended whose shoot or service is still there, as recorded. */
  finalStates: ReadonlyMap<Subject, JournalTurn['to']>;
}>;

/** How a replay is told; each answer is the lines to be written, possibly none. */
export type ReplayReport = Readonly<{
  opened(header: JournalHeader, source: string): readonly string[];
  turn(replayed: ReplayedTurn): readonly string[];
  cutOff(place: string): readonly string[];
  /** `ends`: the rest of this file could not be read either. */
  damaged(place: string, problem: string, ends: boolean): readonly string[];
  end(summary: ReplaySummary): readonly string[];
}>;
