import { samePlain } from '../journal/machine-replay.ts';
import { machineReplay, type Replayed } from '../journal/machine-replay.ts';
import type { Language, PlainOf, PureMachine } from 'dependency-watchdog/machines/pure-machine.ts';
import type { JournalTurnOf } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';

/** A recorded turn that was replayed, and where its machine stood. */
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

type Recorded = JournalTurnOf<Language> & Readonly<{ run: string }>;

/** Where a turn was read: the names of files, or the address of a process that is running. */
export type ReadFrom = Readonly<{ files: readonly string[] }> | Readonly<{ process: string }>;

/** The turn's line of the journal. */
export function recordedLine(turn: Recorded): string {
  return JSON.stringify({ ...turn, run: undefined });
}

/** Names one turn for `replay --explain`: `shoot--dev--one@2026-11-21T20:07:57.123Z#33`. Several may come within a millisecond, and only the number tells them apart. */
function explainedName({ subject, at, seq }: Pick<Recorded, 'subject' | 'at' | 'seq'>): string {
  return `${subject}@${instantText(at)}#${seq}`;
}

/** The command that shows the same turn in a terminal. `program`: how a shell calls ours. */
export function explainCommand(turn: Recorded, from: ReadFrom, program = 'dependency-watchdog'): string {
  const explain = `${program} replay --explain ${quoted(explainedName(turn))}`;
  if ('process' in from) return `curl -s ${quoted(`${from.process}/journal`)} | ${explain} -`;
  return `${explain} ${filesOf(from.files).map(quoted).join(' ')}`;
}

/** A line of more names would not be read. */
const mostFiles = 3;

/** The files themselves, the folders that all of them lie in, or `FILE` if unknown. */
function filesOf(files: readonly string[]): readonly string[] {
  const named = files.filter((file) => /\.jsonl(?:\.gz)?$/.test(file) || file.includes('/'));
  if (named.length === 0) return ['FILE'];
  if (named.length <= mostFiles) return named;
  const folders = new Set(named.map((file) => file.slice(0, file.lastIndexOf('/') + 1)));
  return folders.size <= mostFiles ? [...folders].map((folder) => (folder === '' ? '.' : folder)) : ['FILE'];
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:@%+=-][\w./:@%+=#-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
