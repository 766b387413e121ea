import { instantText } from '../../adapters/words/plain-words.ts';
import type { JournalTurnOf } from '../../adapters/journal/journal-line.ts';
import type { Language } from '../../machines/pure-machine.ts';

type Recorded = JournalTurnOf<Language> & Readonly<{ run: string }>;

/** The turn's line as the journal has it. */
export function recordedLine(turn: Recorded): string {
  return JSON.stringify({ ...turn, run: undefined });
}

/** Names one turn for `replay --explain`: `shoot--dev--one@2026-11-21T20:07:57.123Z#33`. Several may come within a millisecond, and only the number tells them apart. */
function explainedName({ subject, at, seq }: Pick<Recorded, 'subject' | 'at' | 'seq'>): string {
  return `${subject}@${instantText(at)}#${seq}`;
}

/** The command that shows the same turn in a terminal. `files`: what holds the journal, `FILE` where nobody knows its name. */
export function explainCommand(turn: Recorded, files: readonly string[]): string {
  const named = files.length === 0 ? ['FILE'] : files.map(quoted);
  return `dependency-watchdog replay --explain ${explainedName(turn)} ${named.join(' ')}`;
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
