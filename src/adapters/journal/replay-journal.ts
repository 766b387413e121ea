import { isDeepStrictEqual } from 'node:util';
import type { ShootNamespace } from '../../domain/shoot-namespace.ts';
import type { PlainSnapshot, Started, Turn } from '../../effects/turn.ts';
import type { ShootEvent } from '../../machines/shoot-language.ts';
import { hideSecrets } from '../log/hide-secrets.ts';
import type { JournalTurn } from './journal-line.ts';

/** The machine, as far as a replay needs it. */
export type ReplayMachine<Snapshot> = Readonly<{
  restore(plain: PlainSnapshot): Snapshot;
  plain(snapshot: Snapshot): PlainSnapshot;
  /** One event into a machine; `undefined` before the first. May throw, as it may have done when it was recorded. */
  take(
    snapshot: Snapshot | undefined,
    event: ShootEvent | Started,
  ): Readonly<{ snapshot: Snapshot; state: Turn['to']; commands: Turn['commands']; notes: Turn['notes'] }>;
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

type Course<Snapshot> = Readonly<{ snapshot: Snapshot; state: Turn['to']; seq: number }> | 'lost';

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

    const start = startOf(turn, course === 'lost' ? undefined : course);
    if (start === undefined) return { outcome: 'no beginning' };
    const difference = 'in' in start ? start : taken(turn, start.snapshot, event);
    if (difference !== undefined) courses.set(shoot, 'lost');
    return difference === undefined ? { outcome: 'same' } : { outcome: 'differs', difference };
  };

  function startOf(
    turn: JournalTurn,
    course: Exclude<Course<Snapshot>, 'lost'> | undefined,
  ): Readonly<{ snapshot: Snapshot | undefined }> | Difference | undefined {
    if (turn.event.type === 'started') return { snapshot: undefined };
    const { before } = turn;
    if (course === undefined) return before === undefined ? undefined : { snapshot: machine.restore(before) };
    if (before !== undefined) {
      // A chapter's border within one run: the recorded snapshot must be the one that we arrived at.
      const ours = plainly(machine.plain(course.snapshot));
      if (course.seq >= gapBefore && !isDeepStrictEqual(ours, before))
        return { in: 'snapshot before', recorded: before, replayed: ours };
      return { snapshot: machine.restore(before) };
    }
    if (turn.from !== course.state) return { in: 'state before', recorded: turn.from, replayed: course.state };
    return { snapshot: course.snapshot };
  }

  function taken(
    turn: JournalTurn,
    snapshot: Snapshot | undefined,
    event: ShootEvent | Started,
  ): Difference | undefined {
    let result: ReturnType<ReplayMachine<Snapshot>['take']>;
    try {
      result = machine.take(snapshot, event);
    } catch (error) {
      return { in: 'bug', recorded: 'a turn', replayed: error instanceof Error ? error.message : String(error) };
    }
    courses.set(turn.shoot, { snapshot: result.snapshot, state: result.state, seq: turn.seq });
    return (
      unlike('state', turn.to, result.state) ??
      unlike('commands', turn.commands, result.commands) ??
      unlike('notes', turn.notes, result.notes)
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
