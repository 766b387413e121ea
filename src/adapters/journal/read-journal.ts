import * as z from 'zod';
import type { ShootTurn } from '../../effects/turn.ts';
import { readLines } from '../read-lines.ts';
import { errorWords } from '../words/error-words.ts';
import { journalVersion, type JournalHeader, type JournalTurn } from './journal-line.ts';

export type JournalSource = Readonly<{ name: string; bytes: AsyncIterable<Uint8Array> }>;

export type JournalEntry =
  | Readonly<{ kind: 'header'; source: string; line: number; header: JournalHeader }>
  | Readonly<{ kind: 'turn'; source: string; line: number; turn: JournalTurn }>
  /** The process was killed, or the disk was full, within this line, the last one. */
  | Readonly<{ kind: 'cutOff'; source: string; line: number }>;

/** A journal that cannot be read on; the message names file and line. */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';
}

/** Far beyond the longest line that is written; a file without line breaks is no journal. */
const longestLine = 64 * 1_048_576;

const eventTypes = {
  started: true,
  ended: true,
  'cluster.changed': true,
  'cluster.gone': true,
  'dependant.changed': true,
  'dependant.watched': true,
  woken: true,
  'probe.answered': true,
  'probe.failed': true,
  'candidates.answered': true,
  'candidates.failed': true,
  'scale.answered': true,
  'read.answered': true,
} satisfies Record<ShootTurn['event']['type'], true>;

const states = ['idle', 'probing', 'leaseFailed', 'scalingDown', 'scaledDown', 'scalingUp'] satisfies ShootTurn['to'][];

const Header = z.object({
  journal: z.number(),
  program: z.string(),
  version: z.string(),
  run: z.string(),
  openedAt: z.number(),
  configuration: z.unknown(),
});

/** Only what every turn has. What an event carries is the machine's business, and written by this program alone. */
const TurnLine = z.object({
  seq: z.number(),
  at: z.number(),
  shoot: z.string(),
  event: z.looseObject({ type: z.string(), at: z.number() }),
  from: z.enum(states).optional(),
  to: z.enum(states),
  commands: z.array(z.looseObject({ type: z.string() })),
  notes: z.array(z.looseObject({ kind: z.string() })),
  before: z.object({ value: z.unknown(), context: z.unknown() }).optional(),
});

/**
 * Reads a journal line by line, without ever holding more than one. Throws JournalDamaged at the first line that is
 * none, unless it is the last and lacks its line break (SPEC 9.6).
 */
export async function* readJournal({ name, bytes }: JournalSource): AsyncGenerator<JournalEntry> {
  let line = 0;
  const tooLong = () => new JournalDamaged(`${name}: a line of more than ${longestLine} bytes`);
  for await (const text of readLines(bytes, longestLine, tooLong)) {
    line += 1;
    const entry = readLine(text, name, line);
    if ('kind' in entry) yield entry;
    else if (!text.endsWith('\n')) yield { kind: 'cutOff', source: name, line };
    else throw new JournalDamaged(`${name}, line ${line}: ${entry.problem}`);
  }
}

function readLine(text: string, source: string, line: number): JournalEntry | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: errorWords(error) };
  }
  if (typeof value === 'object' && value !== null && 'journal' in value) {
    const header = Header.safeParse(value);
    if (!header.success) return { problem: firstIssue(header.error) };
    if (header.data.journal > journalVersion)
      return { problem: `a journal of version ${header.data.journal}; this program reads up to ${journalVersion}` };
    return { kind: 'header', source, line, header: header.data };
  }
  const turn = TurnLine.safeParse(value);
  if (!turn.success) return { problem: firstIssue(turn.error) };
  if (!Object.hasOwn(eventTypes, turn.data.event.type))
    return { problem: `no event is called "${turn.data.event.type}"` };
  return { kind: 'turn', source, line, turn: turn.data as unknown as JournalTurn };
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? 'unreadable' : `${issue.path.join('.') || 'the line'}: ${issue.message}`;
}
