import type { JournalHeader, JournalTurn } from '../../adapters/journal/journal-line.ts';
import type { Difference, Replayed } from '../../adapters/journal/replay-journal.ts';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { ShootState } from '../../machines/shoot-language.ts';

/** One recorded turn with what came of taking it again. */
type ReplayedTurn = Readonly<{ turn: JournalTurn; replayed: Replayed; place: string; eventful: boolean }>;

export type ReplaySummary = Readonly<{
  turns: number;
  shoots: number;
  /** Of the turns, those that could be taken again. */
  checked: number;
  /** Nothing before them tells where their machine stood. */
  withoutBeginning: number;
  /** Each shoot's first turn that came out otherwise, in the journal's order. */
  differences: readonly Readonly<{ turn: JournalTurn; place: string; difference: Difference }>[];
  /** Where each shoot that is still there ended, as recorded. */
  finalStates: ReadonlyMap<ShootNamespace, ShootState>;
}>;

/** How a replay is told; each answer is the lines to be written, possibly none. */
export type ReplayReport = Readonly<{
  opened(header: JournalHeader, source: string): readonly string[];
  turn(replayed: ReplayedTurn): readonly string[];
  cutOff(place: string): readonly string[];
  end(summary: ReplaySummary): readonly string[];
}>;
