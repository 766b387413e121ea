import type { JournalTurns } from '../../adapters/record/journal/journal-line.ts';
import { readJournal } from '../../adapters/record/journal/read-journal.ts';
import { allPathProbes } from '../../adapters/record/facts/path-probes.ts';
import type { ProbeFailure } from '../../domain/prober/probe-failure.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { ProberTold } from '../../domain/prober/prober-told.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { VerdictNote } from '../../machines/shoot-language.ts';
import { clockWords } from '../../adapters/words/plain-words.ts';
import { partWords, unjudgedWords } from '../../adapters/record/words/lease-words.ts';
import { failureWords } from '../../adapters/record/words/probe-words.ts';
import { operatorLine } from '../../adapters/words/secrets.ts';

type ShootTurn = JournalTurns['shoot'];

/**
 * Reads from the lines of a running prober's journal how it sees each shoot now. A line that cannot be read tells nothing. Instants are put on
 * our clock, as far as is known: the prober's is ahead by as much as its youngest turn seems to come from the future.
 */
export async function readTurns(
  lines: AsyncIterable<string>,
  now: () => Instant,
): Promise<ReadonlyMap<ShootNamespace, ProberTold>> {
  const told = new Map<ShootNamespace, ProberTold>();
  const paths = allPathProbes();
  let youngest = -Infinity;
  let run: string | undefined;
  for await (const entry of readJournal({ name: 'the prober', bytes: bytesOf(lines) })) {
    if (entry.kind === 'header' && entry.header.run !== run) {
      told.clear();
      ({ run } = entry.header);
    }
    if (entry.kind !== 'turn' || entry.turn.kind !== 'shoot') continue;
    const { subject, event, at } = entry.turn;
    youngest = Math.max(youngest, at);
    const untold = paths.observe(entry.turn);
    if (event.type === 'ended') told.delete(subject);
    else told.set(subject, after(told.get(subject), entry.turn, untold));
  }
  const ahead = Math.max(0, youngest - now());
  return ahead === 0 ? told : new Map([...told].map(([shoot, one]) => [shoot, earlier(one, ahead)]));
}

function earlier(told: ProberTold, by: Millis): ProberTold {
  const { since, verdict, nextAt, downAt } = told;
  return {
    ...told,
    ...(since === undefined ? {} : { since: since - by }),
    ...(verdict === undefined ? {} : { verdict: { ...verdict, at: verdict.at - by } }),
    ...(nextAt === undefined ? {} : { nextAt: nextAt - by }),
    ...(downAt === undefined
      ? {}
      : { downAt: Object.fromEntries(Object.entries(downAt).map(([key, at]) => [key, at - by])) }),
  };
}

/** What is known of a shoot after one more turn. */
function after(before: ProberTold | undefined, turn: ShootTurn, untold: ProbeFailure | undefined): ProberTold {
  const { at, event, from, to, commands, notes } = turn;
  const failing = failingAfter(before?.failing, turn, untold);
  const { failing: _failing, partial: _partial, unjudged: _unjudged, waits: _waits, ...kept } = before ?? { state: to };
  const partial = partialAfter(before?.partial, turn);
  const unjudged = unjudgedAfter(before?.unjudged, turn);
  const waits = waitAfter(before?.waits, turn);
  const verdict = notes.find((note) => note.kind === 'verdict');
  const wake = commands.findLast(({ type }) => type === 'wake');
  return {
    ...kept,
    state: to,
    ...(from === to ? {} : { since: at }),
    ...(verdict === undefined ? {} : { verdict: { ...verdictTold(verdict), at } }),
    ...(wake?.type === 'wake' ? { nextAt: wake.params.at } : {}),
    ...(failing === undefined ? {} : { failing }),
    ...(partial === undefined ? {} : { partial }),
    ...(waits === undefined ? {} : { waits }),
    ...(unjudged === undefined ? {} : { unjudged }),
    ...loweredBy(kept.downAt, event, at),
  };
}

/**
 * Which part is cut off, after one more turn. A shoot that rests has none (SPEC 5.6). Where the turn that told it is in no memory any more, the
 * machine's snapshot tells it.
 */
function partialAfter(known: string | undefined, { to, notes, before }: ShootTurn): string | undefined {
  const part = notes.find((note) => note.kind === 'partialOutage') ?? before?.context.said.partial;
  if (to === 'idle' || notes.some(({ kind }) => kind === 'partialOutageOver')) return undefined;
  if (part === undefined) return known;
  return part === null ? undefined : partWords(part);
}

/** What a shoot that comes and goes waits for, until the first write of its way up. */
function waitAfter(known: string | undefined, { from, to, notes, commands }: ShootTurn): string | undefined {
  const note = notes.find(({ kind }) => kind === 'returnWaits');
  if (note?.kind === 'returnWaits')
    return `connected again; waits until ${clockWords(note.until)}, since it comes and goes`;
  return from === to && to === 'scalingUp' && !commands.some(({ type }) => type === 'scale') ? known : undefined;
}

/** Why nobody can tell, after one more turn; as above. */
function unjudgedAfter(known: string | undefined, { to, notes, before }: ShootTurn): string | undefined {
  const why = notes.find((note) => note.kind === 'unjudged') ?? before?.context.said.unjudged;
  if (to === 'idle' || notes.some(({ kind }) => kind === 'unjudgedOver')) return undefined;
  if (why === undefined) return known;
  return why === null ? undefined : unjudgedWords(why);
}

function verdictTold(note: VerdictNote) {
  if (note.external === undefined)
    return { kind: note.verdict, expired: note.expired, candidates: note.candidates } as const;
  const reason = note.reason === undefined ? {} : { reason: note.reason };
  return { kind: note.verdict, external: note.external, ...reason } as const;
}

function loweredBy(before: ProberTold['downAt'], event: ShootTurn['event'], at: number): Pick<ProberTold, 'downAt'> {
  if (event.type !== 'scale.answered' || event.answer.outcome !== 'written' || event.asked.change.replicas !== 0)
    return before === undefined ? {} : { downAt: before };
  return { downAt: { ...before, [event.asked.key]: at } };
}

async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield Buffer.from(line);
}

/** Why the last probe told nothing, after one more turn; undefined where it told something. `untold`: why a probe of two paths did not that ended in it (SPEC 4.9). */
function failingAfter(
  before: string | undefined,
  { event, notes }: JournalTurns['shoot'],
  untold: ProbeFailure | undefined,
): string | undefined {
  const failure = event.type === 'probe.failed' || event.type === 'candidates.failed' ? event.failure : untold;
  if (failure !== undefined) return operatorLine(failureWords.line(failure));
  const tells = event.type === 'probe.answered' || event.type === 'started';
  return tells || notes.some(({ kind }) => kind === 'verdict') ? undefined : before;
}
