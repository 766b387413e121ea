import { samePlain } from '../../domain/value-at.ts';
import { machineReplay, type Replayed } from '../../adapters/journal/machine-replay.ts';
import type { Language, PlainOf, PureMachine } from '../../machines/pure-machine.ts';
import type { JournalTurnOf } from '../../adapters/journal/journal-line.ts';

/** A recorded turn that was taken again, and where its machine stood. */
export type ReplayedTurn<Spoken extends Language> = Readonly<{
  turn: RunTurn<Spoken>;
  replayed: Replayed;
  /** Turns of the machine are missing before this one. */
  gap: boolean;
  /** Undefined where nothing tells, as at a machine's first turn. */
  before: PlainOf<Spoken> | undefined;
  after: PlainOf<Spoken> | undefined;
}>;

type RunTurn<Spoken extends Language> = JournalTurnOf<Spoken> & Readonly<{ run: string }>;

/** Takes the turns of one machine again, in their order (SPEC 9.6). */
export function replayTurns<Spoken extends Language>(
  machine: PureMachine<Spoken>,
  turns: readonly RunTurn<Spoken>[],
): readonly ReplayedTurn<Spoken>[] {
  return turns.map(turnReplay(machine));
}

/** The same, one turn after the other. */
export function turnReplay<Spoken extends Language>(
  machine: PureMachine<Spoken>,
): (turn: RunTurn<Spoken>) => ReplayedTurn<Spoken> {
  let courses = machineReplay(machine);
  let run: string | undefined;
  return (turn) => {
    const { subject, before: recorded } = turn;
    if (turn.run !== run) courses = machineReplay(machine);
    run = turn.run;
    const known = courses.standing(subject);
    // Only this machine's turns are here, so no gap in their numbers tells that one is missing; the recorded snapshot does.
    const gap = known !== undefined && recorded !== undefined && !samePlain(recorded, known);
    const replayed = courses.take(turn, gap ? turn.seq : 0);
    const before = gap ? recorded : (known ?? recorded);
    return { turn, replayed, gap, before, after: courses.standing(subject) };
  };
}

/** The state of the probe's region in what a snapshot of a shoot has as its `value`; undefined where there is none. */
export function probeStateOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'probe' in value ? value.probe : undefined;
}
