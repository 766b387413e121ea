import * as z from 'zod';
import type { Language } from '../../../machines/pure-machine.ts';
import { LineSplitter, readLines } from '../../reading/bounded-bytes.ts';
import { journalVersion, subjectOfLine, type JournalHeader, type JournalTurns } from './journal-line.ts';
import { Header, journalKinds, type JournalKindOf } from './journal-kinds.ts';

export type JournalSource = Readonly<{ name: string; bytes: AsyncIterable<Uint8Array> }>;

export type JournalEntry =
  | Readonly<{ kind: 'header'; source: string; line: number; header: JournalHeader }>
  | Readonly<{ kind: 'turn'; source: string; line: number; place: LinePlace; turn: JournalTurns[keyof JournalTurns] }>
  /** The last line lacks its end: the process was killed, or the disk was full. */
  | Readonly<{ kind: 'cutOff'; source: string; line: number }>
  /** This line cannot be read. `ends`: nor can what follows in this source. */
  | Readonly<{ kind: 'damaged'; source: string; line: number; problem: string; ends: boolean }>;

/** Where a line stands among the unpacked bytes of its source, its line break included. */
export type LinePlace = Readonly<{ begin: number; bytes: number }>;

/** There is no journal to be read; the message names the place. */
export class JournalUnusable extends Error {
  override readonly name = 'JournalUnusable';
}

/** Far beyond the longest line that is written. A file without line breaks is no journal. */
const longestLine = 64 * 1_048_576;

class LineTooLong extends Error {}

/** Checks only what every turn has. What an event carries is up to its machine, and only this program writes it. */
function turnLine({ subject, events, states }: JournalKindOf<Language>) {
  const state = z.enum(Object.keys(states));
  return z.object({
    seq: z.number(),
    at: z.number(),
    kind: z.string(),
    subject,
    event: z.looseObject({ type: z.enum(Object.keys(events), { error: unknownEvent }), at: z.number() }),
    from: state.optional(),
    to: state,
    commands: z.array(z.looseObject({ type: z.string() })),
    notes: z.array(z.looseObject({ kind: z.string() })),
    before: z.object({ value: z.unknown(), context: z.unknown() }).optional(),
  });
}

function unknownEvent({ input }: Readonly<{ input?: unknown }>): string {
  return `no event is called ${JSON.stringify(input)}`;
}

type Unreadable = Readonly<{ problem: string; ends: boolean }>;

/**
 * Reads a journal line by line, without ever holding more than one. A line that cannot be read is told, and the next one
 * read; the last one may lack its end (SPEC 9.6). A journal of another version ends its source: its machines remember
 * something else. One that has lost its header is taken for one of this version. `isWanted`: a line of ours that tells of
 * another machine is passed over, which takes a fifth of reading it.
 */
export async function* readJournal(
  { name, bytes }: JournalSource,
  isWanted: (subject: string) => boolean = () => true,
): AsyncGenerator<JournalEntry> {
  const splitter = new LineSplitter(longestLine, () => new LineTooLong());
  let [line, end] = [0, 0];
  try {
    for await (const text of readLines(bytes, splitter)) {
      line += 1;
      const place = { begin: end, bytes: splitter.lineBytes };
      end += place.bytes;
      const subject = subjectOfLine(text);
      if (subject !== undefined && !isWanted(subject)) continue;
      const read = readLine(text);
      if ('header' in read) yield { kind: 'header', source: name, line, ...read };
      else if ('turn' in read) yield { kind: 'turn', source: name, line, place, ...read };
      else if (!text.endsWith('\n')) yield { kind: 'cutOff', source: name, line };
      else yield { kind: 'damaged', source: name, line, ...read };
      if ('ends' in read && read.ends) return;
    }
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error;
    const problem = `a line of more than ${longestLine} bytes`;
    yield { kind: 'damaged', source: name, line: line + 1, problem, ends: true };
  }
}

type Read = Readonly<{ header: JournalHeader }> | Readonly<{ turn: JournalTurns[keyof JournalTurns] }> | Unreadable;

const turnLines = new Map<unknown, z.ZodType>(
  Object.entries(journalKinds).map(([kind, entry]) => [kind, turnLine(entry)]),
);

function readLine(text: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own words would quote the line, which may be anything.
    return damaged('it is not JSON');
  }
  if (isObject(value) && 'journal' in value) return readHeader(value);
  const kind = isObject(value) && 'kind' in value ? value.kind : undefined;
  const form = turnLines.get(kind);
  if (form === undefined)
    return damaged(kind === undefined ? 'kind is missing' : `no machine is called ${JSON.stringify(kind)}`);
  const turn = form.safeParse(value);
  return turn.success ? { turn: turn.data as JournalTurns[keyof JournalTurns] } : damaged(firstIssue(turn.error));
}

function readHeader(value: Readonly<{ journal: unknown }>): Readonly<{ header: JournalHeader }> | Unreadable {
  if (typeof value.journal === 'number' && value.journal !== journalVersion) {
    const problem = `a journal of version ${value.journal}; this program reads version ${journalVersion}`;
    return { problem, ends: true };
  }
  const header = Header.safeParse(value);
  return header.success ? { header: header.data } : damaged(firstIssue(header.error));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function damaged(problem: string): Unreadable {
  return { problem, ends: false };
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'unreadable';
  const path = issue.path.join('.') || 'the line';
  return issue.message.endsWith('received undefined') ? `${path} is missing` : `${path}: ${issue.message}`;
}
