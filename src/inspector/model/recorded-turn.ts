import { instantText } from '../../adapters/words/plain-words.ts';
import type { JournalTurnOf } from '../../adapters/journal/journal-line.ts';
import type { Language } from '../../machines/pure-machine.ts';

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

/** The command that shows the same turn in a terminal. */
export function explainCommand(turn: Recorded, from: ReadFrom): string {
  const explain = `dependency-watchdog replay --explain ${explainedName(turn)}`;
  if ('process' in from) return `curl -s ${quoted(`${from.process}/journal`)} | ${explain} -`;
  return `${explain} ${filesOf(from.files).map(quoted).join(' ')}`;
}

/** A line of more names would not be read. */
const mostFiles = 3;

/** The files themselves, the folder that all of them lie in, or `FILE` if unknown. */
function filesOf(files: readonly string[]): readonly string[] {
  const named = files.filter((file) => file.endsWith('.jsonl') || file.includes('/'));
  if (named.length === 0) return ['FILE'];
  if (named.length <= mostFiles) return named;
  const folders = new Set(named.map((file) => file.slice(0, file.lastIndexOf('/') + 1)));
  const [folder = ''] = folders;
  return folders.size === 1 && folder !== '' ? [folder] : ['FILE'];
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
