import * as z from 'zod';
import type { ShootTurn, WeederTurn } from '../../effects/turn.ts';
import { readLines } from '../reading/read-stream.ts';
import { errorWords } from '../words/error-words.ts';
import { journalVersion, type JournalHeader, type JournalTurn } from './journal-line.ts';

export type JournalSource = Readonly<{ name: string; bytes: AsyncIterable<Uint8Array> }>;

export type JournalEntry =
  | Readonly<{ kind: 'header'; source: string; line: number; header: JournalHeader }>
  | Readonly<{ kind: 'turn'; source: string; line: number; turn: JournalTurn }>
  /** The process was killed, or the disk was full, within this line, the last one. */
  | Readonly<{ kind: 'cutOff'; source: string; line: number }>
  /** This line is none. `ends`: nor can what follows in this source be read. */
  | Readonly<{ kind: 'damaged'; source: string; line: number; problem: string; ends: boolean }>;

/** There is no journal to be read; the message names the place. */
export class JournalUnusable extends Error {
  override readonly name = 'JournalUnusable';
}

/** Far beyond the longest line that is written; a file without line breaks is no journal. */
const longestLine = 64 * 1_048_576;

class LineTooLong extends Error {}

const shootEvents = {
  started: true,
  ended: true,
  'cluster.changed': true,
  'cluster.gone': true,
  'cluster.watched': true,
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

const shootStates = {
  idle: true,
  probing: true,
  leaseFailed: true,
  scalingDown: true,
  scaledDown: true,
  scalingUp: true,
} satisfies Record<ShootTurn['to'], true>;

const weederEvents = {
  started: true,
  ended: true,
  'slices.changed': true,
  'service.gone': true,
  woken: true,
  'pod.changed': true,
  'pod.gone': true,
  'deletion.answered': true,
} satisfies Record<WeederTurn['event']['type'], true>;

const weederStates = { down: true, recovering: true, relapsed: true, settled: true } satisfies Record<
  WeederTurn['to'],
  true
>;

const Header = z.object({
  journal: z.number(),
  program: z.string(),
  version: z.string(),
  run: z.string(),
  openedAt: z.number(),
  configuration: z.unknown(),
});

/** Only what every turn has. What an event carries is the machine's business, and written by this program alone. */
function turnLine(events: Readonly<Record<string, true>>, states: Readonly<Record<string, true>>) {
  const state = z.enum(Object.keys(states));
  return z.object({
    seq: z.number(),
    at: z.number(),
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

const ShootLine = turnLine(shootEvents, shootStates).extend({ shoot: z.string() });
const WeederLine = turnLine(weederEvents, weederStates).extend({
  service: z.templateLiteral([z.string().min(1), '/', z.string().min(1)]),
});

/**
 * Reads a journal line by line, without ever holding more than one. A line that is none is told, and the next one read;
 * the last one may lack its end (SPEC 9.6). A journal of another version ends its source: its machines remember something else.
 */
export async function* readJournal({ name, bytes }: JournalSource): AsyncGenerator<JournalEntry> {
  let line = 0;
  try {
    for await (const text of readLines(bytes, longestLine, () => new LineTooLong())) {
      line += 1;
      const entry = readLine(text, name, line);
      if ('kind' in entry) yield entry;
      else if (!text.endsWith('\n')) yield { kind: 'cutOff', source: name, line };
      else yield { kind: 'damaged', source: name, line, ...entry };
      if ('ends' in entry && entry.ends) return;
    }
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error;
    const problem = `a line of more than ${longestLine} bytes`;
    yield { kind: 'damaged', source: name, line: line + 1, problem, ends: true };
  }
}

function readLine(
  text: string,
  source: string,
  line: number,
): JournalEntry | Readonly<{ problem: string; ends: boolean }> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return damaged(errorWords(error));
  }
  if (typeof value === 'object' && value !== null && 'journal' in value) {
    if (typeof value.journal === 'number' && value.journal !== journalVersion) {
      const problem = `a journal of version ${value.journal}; this program reads version ${journalVersion}`;
      return { problem, ends: true };
    }
    const header = Header.safeParse(value);
    return header.success ? { kind: 'header', source, line, header: header.data } : damaged(firstIssue(header.error));
  }
  const isWeeders = typeof value === 'object' && value !== null && 'service' in value;
  const turn = (isWeeders ? WeederLine : ShootLine).safeParse(value);
  if (!turn.success) return damaged(firstIssue(turn.error));
  return { kind: 'turn', source, line, turn: turn.data as unknown as JournalTurn };
}

function damaged(problem: string) {
  return { problem, ends: false };
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? 'unreadable' : `${issue.path.join('.') || 'the line'}: ${issue.message}`;
}
