import type { LanguageMap } from '../../machines/kinds.ts';
import type { PlainOf, PureMachine } from '../../machines/pure-machine.ts';
import { byKind } from '../turns/by-kind.ts';
import type { JournalTurns } from './journal-line.ts';
import { replayCourses, type Replayed } from './replay-courses.ts';

/** By kind, the machine that takes its turns again. */
export type ReplayMachines<Spoken extends LanguageMap<Spoken>> = {
  readonly [Kind in keyof Spoken]: Pick<PureMachine<Spoken[Kind]>, 'first' | 'take' | 'restore' | 'plain'>;
};

export type JournalReplay<Spoken extends LanguageMap<Spoken>> = Readonly<{
  /** `run` names the process that wrote it: another one knows nothing of the machines of the one before. */
  take(turn: JournalTurns<Spoken>[keyof Spoken], run: string): Replayed;
  /** A line is damaged: the turn of any machine may have stood there. */
  damaged(): void;
  /** Where a machine of the present run stands after its last turn; undefined where nobody knows. */
  standing<Kind extends keyof Spoken>(kind: Kind, subject: string): PlainOf<Spoken[Kind]> | undefined;
}>;

/** Feeds recorded turns to their machines again: all of them, in their order. */
export function journalReplay<Spoken extends LanguageMap<Spoken>>(
  machines: ReplayMachines<Spoken>,
): JournalReplay<Spoken> {
  let courses = begin();
  let currentRun: string | undefined;
  let previousSeq = 0;
  /** The first turn after the youngest gap in the numbers, where turns of any machine may be missing. */
  let gapBefore = 0;

  function begin() {
    const doubts: (() => void)[] = [];
    const standings = new Map<keyof Spoken, (subject: string) => unknown>();
    const takeTurn = byKind<JournalTurns<Spoken>, Replayed>(machines, (kind) => {
      const { take, doubt, standing } = replayCourses(machines[kind]);
      doubts.push(doubt);
      standings.set(kind, standing);
      return (turn) => take(turn, gapBefore);
    });
    return { take: takeTurn, doubts, standings };
  }

  return {
    take(turn, run) {
      if (run !== currentRun) courses = begin();
      if (run !== currentRun || turn.seq !== previousSeq + 1) gapBefore = turn.seq;
      currentRun = run;
      previousSeq = turn.seq;
      return courses.take(turn);
    },
    damaged() {
      for (const doubt of courses.doubts) doubt();
    },
    // The compiler cannot follow a key into a map.
    standing: <Kind extends keyof Spoken>(kind: Kind, subject: string) =>
      courses.standings.get(kind)?.(subject) as PlainOf<Spoken[Kind]> | undefined,
  };
}
