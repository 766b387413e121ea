import {
  readJournal,
  type JournalEntry,
  type JournalSource,
} from 'dependency-watchdog/adapters/record/journal/read-journal.ts';

/** Nothing of a source could be read; `problem` is a sentence that names it. */
export type NoJournal = Readonly<{ kind: 'noJournal'; problem: string }>;

/** So much of a source is kept to tell what it is, where it is no journal. */
const headBytes = 4_096;

/** A file that is no journal may have as many damaged lines as lines. */
const mostHeld = 100;

/**
 * What `readJournal` tells of a source, if that is a journal at all; else, instead of a thousand damaged lines, the one sentence
 * that it is none. A first line that is cut off is a journal's, whose process was killed before it had written more.
 */
export async function* usableEntries(
  source: JournalSource,
  isWanted?: (subject: string) => boolean,
): AsyncGenerator<JournalEntry | NoJournal> {
  let head = Buffer.alloc(0);
  async function* remembered(): AsyncGenerator<Uint8Array> {
    for await (const bytes of source.bytes) {
      if (head.length < headBytes) head = Buffer.concat([head, bytes.subarray(0, headBytes)]);
      yield bytes;
    }
  }
  let held: JournalEntry[] | undefined = [];
  for await (const entry of readJournal({ name: source.name, bytes: remembered() }, isWanted)) {
    const isGood = entry.kind === 'header' || entry.kind === 'turn';
    if (held !== undefined && isGood) {
      yield* held;
      held = undefined;
    }
    if (held === undefined) yield entry;
    else if (held.length < mostHeld) held.push(entry);
  }
  if (held === undefined) return;
  if (beginsAsJournal(head)) yield* held;
  else yield { kind: 'noJournal', problem: whatItIs(source.name, head) };
}

/** A header that could not be read: of another version, cut off or damaged. */
function beginsAsJournal(head: Buffer): boolean {
  return head.subarray(0, 10).toString() === '{"journal"';
}

const packed: readonly (readonly [magic: string, name: string, unpack: string])[] = [
  ['28b52ffd', 'zstd', 'zstdcat'],
  ['fd377a585a00', 'xz', 'xzcat'],
  ['425a68', 'bzip2', 'bzcat'],
];

const whereJournalsAre =
  'A journal is a file of --journal-dir (dwd-….jsonl), or what the running program answers at /journal.';

function whatItIs(name: string, head: Buffer): string {
  if (head.length === 0)
    return name === 'standard input'
      ? 'the standard input is empty: nothing was recorded, or the command before failed'
      : `${name} is empty: no event is recorded there`;
  const found = packed.find(([magic]) => head.toString('hex').startsWith(magic));
  if (found !== undefined) {
    const [, how, unpack] = found;
    return `${name} is packed with ${how}; unpack it first: ${unpack} FILE | dependency-watchdog replay -`;
  }
  if (isLog(head)) return `${name} is a log, not a journal. ${whereJournalsAre}`;
  return `${name} is not a journal. ${whereJournalsAre}`;
}

/** The program's own log, which is JSON lines too. */
function isLog(head: Buffer): boolean {
  const [first = ''] = head.toString().split('\n');
  return first.startsWith('{') && first.includes('"level":') && first.includes('"msg":');
}
