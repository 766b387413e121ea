import { isTree } from 'dependency-watchdog/domain/value-at.ts';
import type { Started } from 'dependency-watchdog/effects/turn.ts';
import type { Language, OutcomeOf, PlainOf, PureMachine } from 'dependency-watchdog/machines/pure-machine.ts';
import { byKind, isEnded, isStarted } from 'dependency-watchdog/adapters/record/facts/turns.ts';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { hideSecretsInJson } from 'dependency-watchdog/adapters/words/secrets.ts';
import {
  headerLine,
  type JournalHeader,
  type JournalTurnOf,
  type JournalTurns,
} from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';

/** How a turn comes out differently from what was recorded; both as plain JSON. */
export type Difference = Readonly<{
  in: 'snapshot before' | 'state before' | 'state' | 'commands' | 'notes' | 'bug';
  recorded: unknown;
  replayed: unknown;
}>;

/**
 * `same`: replayed, and nothing differs (L3). `differs`: the machine's first turn that does. `after difference`: not
 * replayed, since the machine is no longer where it was. `no beginning`: nothing before it tells where the machine
 * stood. `not taken`: the runtime says `ended`, no machine does.
 */
export type Replayed =
  | Readonly<{ outcome: 'same' | 'after difference' | 'no beginning' | 'not taken' }>
  | Readonly<{ outcome: 'differs'; difference: Difference }>;

/** Where a machine stands, as far as its turns could be replayed. `doubtful`: a turn of this machine may be lost, and nothing since has told where it stands. */
type Reached<Spoken extends Language> =
  | Readonly<{ snapshot: PlainOf<Spoken>; state: Spoken['State']; seq: number; doubtful: boolean }>
  | 'lost';

/**
 * Takes the turns of all machines of one kind again, in one run of the process. A machine may throw: a bug, or a recorded
 * snapshot that is none of its own.
 */
export function machineReplay<Spoken extends Language>(
  machine: Pick<PureMachine<Spoken>, 'first' | 'take' | 'restore' | 'plain'>,
) {
  const reached = new Map<string, Reached<Spoken>>();

  return { take, doubt, standing };

  /** Where a machine stands after the last turn of it; undefined where nobody knows. */
  function standing(subject: string): PlainOf<Spoken> | undefined {
    const one = reached.get(subject);
    return one === undefined || one === 'lost' ? undefined : machine.plain(one.snapshot);
  }

  /** A turn is lost, and nobody knows whose. */
  function doubt(): void {
    for (const [subject, one] of reached) if (one !== 'lost') reached.set(subject, { ...one, doubtful: true });
  }

  /** `gapBefore`: the first turn after the youngest gap in the numbers. */
  function take(turn: JournalTurnOf<Spoken>, gapBefore: number): Replayed {
    const { subject, event } = turn;
    const one = reached.get(subject);
    if (isEnded(event)) {
      reached.delete(subject);
      return one === 'lost' ? { outcome: 'after difference' } : { outcome: 'not taken' };
    }
    if (one === 'lost' && event.type !== 'started') return { outcome: 'after difference' };

    const difference = attempt(turn, event, one === 'lost' ? undefined : one, gapBefore);
    if (difference === 'no beginning') return { outcome: 'no beginning' };
    if (difference === undefined) return { outcome: 'same' };
    if (one !== undefined && one !== 'lost' && one.doubtful && turn.before === undefined) {
      // The lost turn was this machine's. Its next snapshot tells where it stands.
      reached.delete(subject);
      return { outcome: 'no beginning' };
    }
    // The machine is elsewhere now; what follows would differ without telling anything new.
    reached.set(subject, 'lost');
    return { outcome: 'differs', difference };
  }

  function attempt(
    turn: JournalTurnOf<Spoken>,
    event: Spoken['Event'] | Started<Spoken['Input']>,
    one: Exclude<Reached<Spoken>, 'lost'> | undefined,
    gapBefore: number,
  ): Difference | 'no beginning' | undefined {
    try {
      if (isStarted(event)) return compared(turn, machine.first(event.input));
      const { before } = turn;
      const afresh = (plain: PlainOf<Spoken>) => compared(turn, machine.take(machine.restore(plain), event));
      if (one === undefined) return before === undefined ? 'no beginning' : afresh(before);
      if (before !== undefined && (one.doubtful || one.seq < gapBefore)) return afresh(before);
      return (
        unlike('state before', turn.from, one.state) ??
        // At a chapter's border the recorded snapshot must be the one that we arrived at.
        (before === undefined ? undefined : unlike('snapshot before', before, machine.plain(one.snapshot))) ??
        compared(turn, machine.take(one.snapshot, event), one.doubtful)
      );
    } catch (error) {
      return { in: 'bug', recorded: 'a turn', replayed: errorWords(error) };
    }
  }

  function compared(turn: JournalTurnOf<Spoken>, outcome: OutcomeOf<Spoken>, doubtful = false): Difference | undefined {
    reached.set(turn.subject, { snapshot: outcome.snapshot, state: outcome.state, seq: turn.seq, doubtful });
    const { state, commands, notes } = outcome;
    return (
      unlike('state', turn.to, state) ??
      unlike('commands', turn.commands, commands) ??
      unlike('notes', turn.notes, notes)
    );
  }
}

/** Nearly every turn is the same as it stands. Writing it first, as the journal did, costs more than all else but the machine itself. */
function unlike(what: Difference['in'], recorded: unknown, replayed: unknown): Difference | undefined {
  if (samePlain(recorded, replayed)) return undefined;
  const again = plainly(replayed);
  return samePlain(recorded, again) ? undefined : { in: what, recorded, replayed: again };
}

/** As a journal would hold it. */
function plainly(value: unknown): unknown {
  return JSON.parse(hideSecretsInJson(JSON.stringify(value)));
}

/** Whether two plain values, as JSON has them, are the same; the order of fields does not matter. */
export function samePlain(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isTree(one) || !isTree(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && samePlain(one[name], other[name]))
  );
}

type JournalTurn = JournalTurns[keyof Languages];

/** A part of a journal as a journal of its own: each run with its header, and each machine's first turn of it with where that stood before. */
export function journalSlice() {
  let header: JournalHeader | undefined;
  let isHeaderDue = false;
  let known = new Set<string>();
  return {
    /** Of the turns that follow. */
    hear(next: JournalHeader): void {
      if (header?.run !== next.run) known = new Set();
      // What a process says when it ends is of a later time than that which is asked for may be.
      if (header?.run !== next.run || next.lead?.ended === undefined) isHeaderDue = true;
      header = next;
    },
    /** Whether `lines` wants to know where the machine of this turn stood. */
    needsBefore: ({ subject, event, before }: JournalTurn): boolean =>
      !known.has(subject) && event.type !== 'started' && before === undefined,
    /** What this turn adds, line breaks included. */
    lines(turn: JournalTurn, before: unknown): string {
      const head = isHeaderDue && header !== undefined ? headerLine(header) : '';
      isHeaderDue = false;
      const written = known.has(turn.subject) || before === undefined ? turn : { ...turn, before };
      known.add(turn.subject);
      return `${head}${JSON.stringify(written)}\n`;
    },
  };
}

type ReplayMachines = {
  readonly [Kind in keyof Languages]: Pick<PureMachine<Languages[Kind]>, 'first' | 'take' | 'restore' | 'plain'>;
};

type MachineReplay<Spoken extends Language> = ReturnType<typeof machineReplay<Spoken>>;

/** Feeds recorded turns to their machines again: all of them, in their order. */
export function journalReplay({ shoot, weeder }: ReplayMachines) {
  let replays = begin();
  let currentRun: string | undefined;
  let previousSeq = 0;
  /** The first turn after the youngest gap in the numbers, where turns of any machine may be missing. */
  let gapBefore = 0;

  function begin() {
    return { shoot: machineReplay<Languages['shoot']>(shoot), weeder: machineReplay<Languages['weeder']>(weeder) };
  }

  const take = byKind<JournalTurns, Replayed>({
    shoot: (turn) => replays.shoot.take(turn, gapBefore),
    weeder: (turn) => replays.weeder.take(turn, gapBefore),
  });

  return {
    /** `run` names the process that wrote it: another one knows nothing of the machines of the one before. */
    take(turn: JournalTurn, run: string): Replayed {
      if (run !== currentRun) replays = begin();
      if (run !== currentRun || turn.seq !== previousSeq + 1) gapBefore = turn.seq;
      currentRun = run;
      previousSeq = turn.seq;
      return take(turn);
    },
    /** A line is damaged: the turn of any machine may have stood there. */
    damaged(): void {
      for (const replay of Object.values(replays)) replay.doubt();
    },
    /** Where a machine of the present run stands after its last turn; undefined where nobody knows. */
    standing: <Kind extends keyof Languages>(kind: Kind, subject: string): PlainOf<Languages[Kind]> | undefined =>
      (replays[kind] as MachineReplay<Languages[typeof kind]>).standing(subject),
  };
}
