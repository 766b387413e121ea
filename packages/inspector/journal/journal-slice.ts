import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import {
  headerLine,
  type JournalHeader,
  type JournalTurns,
} from 'dependency-watchdog/adapters/record/journal/journal-line.ts';

type JournalTurn = JournalTurns[keyof Languages];

/** A part of a journal as a journal of its own: each run with its header, and each machine's first turn of it with where that stood before. */
export type JournalSlice = Readonly<{
  /** Of the turns that follow. */
  hear(header: JournalHeader): void;
  /** Whether `lines` wants to know where the machine of this turn stood. */
  needsBefore(turn: JournalTurn): boolean;
  /** What this turn adds, line breaks included. */
  lines(turn: JournalTurn, before: unknown): string;
}>;

export function journalSlice(): JournalSlice {
  let header: JournalHeader | undefined;
  let isHeaderDue = false;
  let known = new Set<string>();
  return {
    hear(next) {
      if (header?.run !== next.run) known = new Set();
      // What a process says when it ends is of a later time than that which is asked for may be.
      if (header?.run !== next.run || next.lead?.ended === undefined) isHeaderDue = true;
      header = next;
    },
    needsBefore: ({ subject, event, before }) =>
      !known.has(subject) && event.type !== 'started' && before === undefined,
    lines(turn, before) {
      const head = isHeaderDue && header !== undefined ? headerLine(header) : '';
      isHeaderDue = false;
      const written = known.has(turn.subject) || before === undefined ? turn : { ...turn, before };
      known.add(turn.subject);
      return `${head}${JSON.stringify(written)}\n`;
    },
  };
}
