import { type JournalHeader, type JournalTurns } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { journalKinds } from 'dependency-watchdog/adapters/record/journal/journal-kinds.ts';
import { JournalUnusable, type LinePlace } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import type { StoredJournal } from '../journal/stored-journal.ts';
import { usableEntries } from '../journal/usable-entries.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Kind } from '../wire/wire.ts';

/** Of the turns in files, which are shown. */
export type FileScope = Readonly<{
  since?: Instant | undefined;
  until?: Instant | undefined;
  /** A shoot by its namespace, with the services there. */
  shoot?: string | undefined;
}>;

export type PassedTurn = Readonly<{
  turn: JournalTurns[Kind];
  run: string;
  journal: StoredJournal;
  place: LinePlace;
  /** For people: the file, and the line. */
  where: string;
  /** False for what came before the time that is asked for: it only tells where the machines stood. */
  isShown: boolean;
}>;

export type PassHooks = Readonly<{
  /** A chapter begins, of that run. */
  onChapter(journal: StoredJournal, run: string, header: JournalHeader | undefined): void;
  onTurn(passed: PassedTurn): void;
  /** A line, or a file, cannot be read: a sentence. `isLine`: a turn of any machine may have stood there. */
  onUnread(problem: string, isLine: boolean): void;
  onCutOff(problem: string): void;
  /** How many bytes of this journal were taken by now. */
  onBytes(journal: StoredJournal, bytes: number): void;
}>;

/**
 * Passes through journals from the first line to the last. Rejects with JournalUnusable where a turn comes twice, and where a file cannot be
 * read.
 */
export async function passJournals(
  journals: readonly StoredJournal[],
  { since = -Infinity, until = Infinity, shoot }: FileScope,
  hooks: PassHooks,
): Promise<void> {
  const isWanted = shoot === undefined ? undefined : (subject: string) => isOf(subject, shoot);
  let [run, lastSeq] = ['', 0];

  for (const journal of journals) {
    hooks.onChapter(journal, run, undefined);
    const source = { name: journal.name, bytes: counted(journal, hooks.onBytes) };
    for await (const entry of usableEntries(source, isWanted)) {
      if (entry.kind === 'noJournal') {
        hooks.onUnread(entry.problem, false);
        continue;
      }
      const where = `${entry.source}, line ${entry.line}`;
      switch (entry.kind) {
        case 'cutOff':
          hooks.onCutOff(`${where} is cut off, and left out`);
          break;
        case 'damaged':
          // Without its header, the run of a file is unknown.
          if (entry.line === 1) {
            [run, lastSeq] = [entry.source, 0];
            hooks.onChapter(journal, run, undefined);
          }
          hooks.onUnread(
            `${where}${entry.ends ? ' and all that follows there' : ''} cannot be read: ${entry.problem}`,
            true,
          );
          break;
        case 'header':
          if (entry.header.run !== run) lastSeq = 0;
          run = entry.header.run;
          hooks.onChapter(journal, run, entry.header);
          break;
        case 'turn': {
          const { turn, place } = entry;
          if (turn.seq <= lastSeq) {
            const order = `event ${turn.seq} comes after event ${lastSeq}`;
            throw new JournalUnusable(`${where}: ${order}; give each file once, in order`);
          }
          lastSeq = turn.seq;
          if (turn.at > until || (shoot !== undefined && namespaceOf(turn) !== shoot)) break;
          hooks.onTurn({ turn, run, journal, place, where, isShown: turn.at >= since });
        }
      }
    }
  }
}

async function* counted(journal: StoredJournal, onBytes: PassHooks['onBytes']): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of journal.bytes()) {
    yield piece;
    bytes += piece.length;
    onBytes(journal, bytes);
  }
}

function namespaceOf(turn: JournalTurns[Kind]): string {
  return turn.kind === 'shoot'
    ? journalKinds.shoot.namespaceOf(turn.subject)
    : journalKinds.weeder.namespaceOf(turn.subject);
}

/** `shoot--dev--one`, `shoot--dev--one/etcd-main-client`. */
function isOf(subject: string, shoot: string): boolean {
  return subject === shoot || subject.startsWith(`${shoot}/`);
}
