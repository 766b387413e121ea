import { isDeepStrictEqual } from 'node:util';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { PlainSnapshot, Started, ShootTurn } from '../../effects/turn.ts';
import type { ShootEvent, ShootInput } from '../../machines/shoot-language.ts';
import { errorWords } from '../words/error-words.ts';
import { hideSecrets } from '../words/hide-secrets.ts';
import type { JournalTurn } from './journal-line.ts';

type Outcome<Snapshot> = Readonly<{
  snapshot: Snapshot;
  state: ShootTurn['to'];
  commands: ShootTurn['commands'];
  notes: ShootTurn['notes'];
}>;

/** The machine, as far as a replay needs it. Any of these may throw: a bug, or a snapshot that is none. */
export type ReplayMachine<Snapshot> = Readonly<{
  restore(plain: PlainSnapshot): Snapshot;
  plain(snapshot: Snapshot): PlainSnapshot;
  first(input: ShootInput): Outcome<Snapshot>;
  take(before: Snapshot, event: ShootEvent): Outcome<Snapshot>;
}>;

/** In what a turn comes out otherwise than recorded; both as plain JSON. */
export type Difference = Readonly<{
  in: 'snapshot before' | 'state before' | 'state' | 'commands' | 'notes' | 'bug';
  recorded: unknown;
  replayed: unknown;
}>;

/**
 * `same`: taken again, and nothing differs (L3). `differs`: the shoot's first turn that does. `after difference`: not
 * taken again, since the machine is no longer where it was. `no beginning`: nothing before it tells where the machine
 * stood. `not taken`: an `ended` is the runtime's word, no machine's.
 */
export type Replayed =
  | Readonly<{ outcome: 'same' | 'after difference' | 'no beginning' | 'not taken' }>
  | Readonly<{ outcome: 'differs'; difference: Difference }>;

type Course<Snapshot> = Readonly<{ snapshot: Snapshot; state: ShootTurn['to']; seq: number }> | 'lost';

/**
 * Feeds recorded turns to the machine again: all of them, in their order. `run` names the process that wrote them:
 * another one knows nothing of the machines of the one before.
 */
export function journalReplay<Snapshot>(
  machine: ReplayMachine<Snapshot>,
): (turn: JournalTurn, run: string) => Replayed {
  const courses = new Map<ShootNamespace, Course<Snapshot>>();
  let currentRun: string | undefined;
  let previousSeq = 0;
  /** The first turn after the youngest gap in the numbers, where turns of any shoot may be missing. */
  let gapBefore = 0;

  return (turn, run) => {
    if (run !== currentRun) courses.clear();
    if (run !== currentRun || turn.seq !== previousSeq + 1) gapBefore = turn.seq;
    currentRun = run;
    previousSeq = turn.seq;
    const { shoot, event } = turn;
    const course = courses.get(shoot);

    if (event.type === 'ended') {
      courses.delete(shoot);
      return course === 'lost' ? { outcome: 'after difference' } : { outcome: 'not taken' };
    }
    if (course === 'lost' && event.type !== 'started') return { outcome: 'after difference' };

    const difference = attempt(turn, event, course === 'lost' ? undefined : course);
    if (difference === 'no beginning') return { outcome: 'no beginning' };
    if (difference === undefined) return { outcome: 'same' };
    // The machine is elsewhere now; what follows would differ without telling anything new.
    courses.set(shoot, 'lost');
    return { outcome: 'differs', difference };
  };

  function attempt(
    turn: JournalTurn,
    event: ShootEvent | Started<ShootInput>,
    course: Exclude<Course<Snapshot>, 'lost'> | undefined,
  ): Difference | 'no beginning' | undefined {
    try {
      if (event.type === 'started') return compared(turn, machine.first(event.input));
      const { before } = turn;
      if (course === undefined)
        return before === undefined ? 'no beginning' : compared(turn, machine.take(machine.restore(before), event));
      if (before !== undefined && course.seq < gapBefore)
        return compared(turn, machine.take(machine.restore(before), event));
      return (
        unlike('state before', turn.from, course.state) ??
        // At a chapter's border the recorded snapshot must be the one that we arrived at.
        (before === undefined ? undefined : unlike('snapshot before', before, machine.plain(course.snapshot))) ??
        compared(turn, machine.take(course.snapshot, event))
      );
    } catch (error) {
      return { in: 'bug', recorded: 'a turn', replayed: errorWords(error) };
    }
  }

  function compared(turn: JournalTurn, outcome: Outcome<Snapshot>): Difference | undefined {
    courses.set(turn.shoot, { snapshot: outcome.snapshot, state: outcome.state, seq: turn.seq });
    return (
      unlike('state', turn.to, outcome.state) ??
      unlike('commands', turn.commands, outcome.commands) ??
      unlike('notes', turn.notes, outcome.notes)
    );
  }
}

function unlike(what: Difference['in'], recorded: unknown, replayed: unknown): Difference | undefined {
  const again = plainly(replayed);
  return isDeepStrictEqual(recorded, again) ? undefined : { in: what, recorded, replayed: again };
}

/** As a journal would hold it. */
function plainly(value: unknown): unknown {
  return JSON.parse(hideSecrets(JSON.stringify(value)));
}
