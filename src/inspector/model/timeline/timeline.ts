import { samePlain } from '../../../domain/same-plain.ts';
import { pureMachines, type Languages } from '../../../machines/kinds.ts';
import type { LanesCourse } from './track.ts';
import { weederLanes } from './service-lanes.ts';
import { shootLanes } from './shoot-lanes.ts';
import type { Lanes } from './lanes.ts';
import { turnRetaking, type RetakenTurn } from '../replayed-turn.ts';
import type { JournalTurns } from '../../../adapters/journal/journal-line.ts';

type Kind = keyof Languages;
type Retaken<Of extends Kind> = RetakenTurn<Languages[Of]>;

/** The turns of one machine, taken again, with all that a time axis shows of them. All lists are as long, and in the turns' order. */
export type Book<Of extends Kind> = Readonly<{
  turns: readonly Retaken<Of>[];
  /** Which of them has a consequence. */
  consequences: readonly boolean[];
  lanes: Lanes;
}>;

/** Writes a book turn by turn, so that a live turn costs no more than itself. */
export type BookWriter<Of extends Kind> = Readonly<{
  /** Takes a recorded turn again. One that the book has, or that is older than its last, is left out. */
  take(turn: Retaken<Of>['turn']): void;
  /** Takes one that was taken again before. */
  adopt(retaken: Retaken<Of>): void;
  /** Another book, which begins with these turns and goes on with those of this one from the `from`-th on; only the new ones are taken again. */
  after(older: readonly Retaken<Of>['turn'][], from?: number): Rewriting<Of>;
  book(): Book<Of>;
}>;

/** Writes a book anew, a step at a time. */
export type Rewriting<Of extends Kind> = Readonly<{ steps: number; step(index: number): void; writer: BookWriter<Of> }>;

type Retaking<Of extends Kind> = (turn: Retaken<Of>['turn']) => Retaken<Of>;

const lanesOf: { readonly [Of in Kind]: () => LanesCourse<Languages[Of]> } = { shoot: shootLanes, weeder: weederLanes };

function retakingOf<Of extends Kind>(kind: Of): Retaking<Of> {
  return turnRetaking<Languages[Of]>(pureMachines[kind]);
}

export function writeBook<Of extends Kind>(kind: Of, retake: Retaking<Of> = retakingOf(kind)): BookWriter<Of> {
  const turns: Retaken<Of>[] = [];
  const consequences: boolean[] = [];
  const course = lanesOf[kind]();

  return {
    take(turn) {
      const last = turns.at(-1)?.turn;
      if (last !== undefined && (last.run === turn.run ? turn.seq <= last.seq : turn.at < last.at)) return;
      adopt(retake(turn));
    },
    adopt,
    after(older, from = 0) {
      const kept = turns.slice(from);
      const retakeOlder = retakingOf(kind);
      // Whoever took the last of these turns goes on with the next.
      const writer = writeBook(kind, kept.length === 0 ? retakeOlder : retake);
      let last: Retaken<Of> | undefined;
      return {
        steps: older.length + kept.length,
        writer,
        step(index) {
          const one = older[index];
          const known = kept[index - older.length];
          if (one !== undefined) writer.adopt((last = retakeOlder(one)));
          else if (known !== undefined) writer.adopt(index === older.length ? joined(last, known) : known);
        },
      };
    },
    book: () => ({ turns: [...turns], consequences: [...consequences], lanes: course.lanes() }),
  };

  function adopt(retaken: Retaken<Of>): void {
    turns.push(retaken);
    consequences.push(hasConsequence(retaken.turn as Parameters<typeof hasConsequence>[0]));
    course.take(retaken);
  }
}

/** Whether turns are missing between two pages of them, the snapshot tells with which the younger one begins. */
function joined<Of extends Kind>(before: Retaken<Of> | undefined, first: Retaken<Of>): Retaken<Of> {
  if (before?.after === undefined || before.turn.run !== first.turn.run || first.before === undefined) return first;
  return { ...first, gap: !samePlain(before.after, first.before) };
}

type Turn = JournalTurns<Languages>[keyof Languages];
type CommandType = Turn['commands'][number]['type'];
type EventType = Turn['event']['type'];
type NoteKind = Turn['notes'][number]['kind'];

/** Commands that write to the seed, or take such a write back. */
const consequentCommands: Readonly<Record<CommandType, boolean>> = {
  scale: true,
  withdraw: true,
  deletePod: true,
  wake: false,
  probe: false,
  listCandidates: false,
  askPath: false,
  readCluster: false,
  reserveProbe: false,
  read: false,
  watchPods: false,
  listPods: false,
  leavePods: false,
};

const consequentEvents: Readonly<Partial<Record<EventType, true>>> = {
  started: true,
  ended: true,
  'scale.answered': true,
  'deletion.answered': true,
  'cluster.gone': true,
  'service.gone': true,
};

/** A verdict that changes nothing is said with every probe. */
const plainNotes: Readonly<Partial<Record<NoteKind, true>>> = { verdict: true };

/** Whether a turn has a consequence: the machine begins, ends or changes its state, something is written or answered, or there is something to say. */
export function hasConsequence({ from, to, event, commands, notes }: Turn): boolean {
  return (
    from !== to ||
    consequentEvents[event.type] === true ||
    commands.some(({ type }) => consequentCommands[type]) ||
    notes.some(({ kind }) => plainNotes[kind] !== true)
  );
}

/** The next turn with a consequence in that direction; undefined where there is none. */
export function nextConsequence(consequences: readonly boolean[], from: number, direction: 1 | -1): number | undefined {
  for (let index = from + direction; index >= 0 && index < consequences.length; index += direction)
    if (consequences[index] === true) return index;
  return undefined;
}
