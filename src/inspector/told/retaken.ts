import { samePlain } from '../../domain/same-plain.ts';
import { replayCourses, type Replayed } from '../../adapters/journal/replay-courses.ts';
import type { Language, PlainOf, PureMachine } from '../../machines/pure-machine.ts';
import type { JournalTurnOf } from '../../adapters/journal/journal-line.ts';

/** A recorded turn that was taken again, and where its machine stood. */
export type RetakenTurn<Spoken extends Language> = Readonly<{
  turn: JournalTurnOf<Spoken> & Readonly<{ run: string }>;
  replayed: Replayed;
  /** Turns of the machine are missing before this one. */
  gap: boolean;
  /** Undefined where nothing tells, as at a machine's first turn. */
  before: PlainOf<Spoken> | undefined;
  after: PlainOf<Spoken> | undefined;
}>;

/** Takes the turns of one machine again, in their order (SPEC 9.6). */
export function retakeTurns<Spoken extends Language>(
  machine: PureMachine<Spoken>,
  turns: readonly (JournalTurnOf<Spoken> & Readonly<{ run: string }>)[],
): readonly RetakenTurn<Spoken>[] {
  let courses = replayCourses(machine);
  let run: string | undefined;
  return turns.map((turn) => {
    const { subject } = turn;
    if (turn.run !== run) courses = replayCourses(machine);
    run = turn.run;
    const known = courses.standing(subject);
    const before = known ?? turn.before;
    const { before: recorded, writtenAs } = turn;
    // Only this machine's turns are here, so no gap in their numbers tells that one is missing; the recorded snapshot does.
    const gap = known !== undefined && recorded !== undefined && writtenAs === undefined && !samePlain(recorded, known);
    const replayed = courses.take(turn, gap ? turn.seq : 0);
    return { turn, replayed, gap, before: gap ? recorded : before, after: courses.standing(subject) };
  });
}
