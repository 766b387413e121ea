import type { Languages } from '../../machines/kinds.ts';
import type { JournalTurns } from '../../adapters/journal/journal-line.ts';

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
