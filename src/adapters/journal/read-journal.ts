import * as z from 'zod';
import type { ShootTurn, WeederTurn } from '../../effects/turn.ts';
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

const shootEvents = {
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
  const isWeeders = typeof value === 'object' && value !== null && 'service' in value;
  const turn = (isWeeders ? WeederLine : ShootLine).safeParse(value);
  if (!turn.success) return { problem: firstIssue(turn.error) };
  return { kind: 'turn', source, line, turn: turn.data as unknown as JournalTurn };
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? 'unreadable' : `${issue.path.join('.') || 'the line'}: ${issue.message}`;
}
