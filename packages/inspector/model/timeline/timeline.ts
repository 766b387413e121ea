import { samePlain } from '../../journal/machine-replay.ts';
import { pureMachines, type Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { LanesBuilder } from './track.ts';
import { weederLanes } from './service-lanes.ts';
import { shootLanes } from './shoot-lanes.ts';
import type { Lanes } from './lanes.ts';
import { turnReplay, type ReplayedTurn } from '../replayed-turn.ts';
import type { JournalTurns } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';

type Kind = keyof Languages;
type Replayed<Of extends Kind> = ReplayedTurn<Languages[Of]>;

/** The turns of one machine, replayed, with all that a time axis shows of them. All lists are as long, and in the turns' order. */
export type MachineTimeline<Of extends Kind> = Readonly<{
  turns: readonly Replayed<Of>[];
  /** Which of them has a consequence. */
  consequences: readonly boolean[];
  lanes: Lanes;
}>;

/** Builds a timeline turn by turn, so that a live turn costs no more than itself. */
export type TimelineBuilder<Of extends Kind> = Readonly<{
  /** Replays a recorded turn. One that the timeline has already, or that is older than its last, is ignored. */
  take(turn: Replayed<Of>['turn']): void;
  /** Adds one that was replayed before. */
  adopt(replayedTurn: Replayed<Of>): void;
  /** Another timeline, which begins with these turns and goes on with those of this one from the `from`-th on; only the new ones are replayed. */
  after(older: readonly Replayed<Of>['turn'][], from?: number): Rebuilding<Of>;
  timeline(): MachineTimeline<Of>;
}>;

/** Builds a timeline again, step by step. */
export type Rebuilding<Of extends Kind> = Readonly<{
  steps: number;
  step(index: number): void;
  builder: TimelineBuilder<Of>;
}>;

type Replay<Of extends Kind> = (turn: Replayed<Of>['turn']) => Replayed<Of>;

const lanesOf: { readonly [Of in Kind]: () => LanesBuilder<Languages[Of]> } = {
  shoot: shootLanes,
  weeder: weederLanes,
};

function replayOf<Of extends Kind>(kind: Of): Replay<Of> {
  return turnReplay<Languages[Of]>(pureMachines[kind]);
}

export function timelineBuilder<Of extends Kind>(kind: Of, replay: Replay<Of> = replayOf(kind)): TimelineBuilder<Of> {
  const turns: Replayed<Of>[] = [];
  const consequences: boolean[] = [];
  const builder = lanesOf[kind]();

  return {
    take(turn) {
      const last = turns.at(-1)?.turn;
      if (last !== undefined && (last.run === turn.run ? turn.seq <= last.seq : turn.at < last.at)) return;
      adopt(replay(turn));
    },
    adopt,
    after(older, from = 0) {
      const kept = turns.slice(from);
      const replayOlder = replayOf(kind);
      // Whoever took the last of these turns goes on with the next.
      const builder = timelineBuilder(kind, kept.length === 0 ? replayOlder : replay);
      let last: Replayed<Of> | undefined;
      return {
        steps: older.length + kept.length,
        builder,
        step(index) {
          const one = older[index];
          const known = kept[index - older.length];
          if (one !== undefined) builder.adopt((last = replayOlder(one)));
          else if (known !== undefined) builder.adopt(index === older.length ? joined(last, known) : known);
        },
      };
    },
    timeline: () => ({ turns: [...turns], consequences: [...consequences], lanes: builder.lanes() }),
  };

  function adopt(replayedTurn: Replayed<Of>): void {
    turns.push(replayedTurn);
    consequences.push(hasConsequence(replayedTurn.turn as Parameters<typeof hasConsequence>[0]));
    builder.take(replayedTurn);
  }
}

/** Whether turns are missing between two pages of them, the snapshot tells with which the younger one begins. */
function joined<Of extends Kind>(before: Replayed<Of> | undefined, first: Replayed<Of>): Replayed<Of> {
  if (before?.after === undefined || before.turn.run !== first.turn.run || first.before === undefined) return first;
  return { ...first, gap: !samePlain(before.after, first.before) };
}

type Turn = JournalTurns[keyof Languages];
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
