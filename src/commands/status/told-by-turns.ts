import type { JournalTurns } from '../../adapters/journal/journal-line.ts';
import { readJournal } from '../../adapters/journal/read-journal.ts';
import { operatorLine } from '../../adapters/words/secrets.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { ProberTold } from '../../domain/prober/prober-told.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Languages } from '../../machines/kinds.ts';

type ShootTurn = JournalTurns<Languages>['shoot'];

/**
 * Reads from the lines of a running prober's journal how it sees each shoot now. A line that cannot be read tells nothing. Instants are put on
 * our clock, as far as is known: the prober's is ahead by as much as its youngest turn seems to come from the future.
 */
export async function readTurns(
  lines: AsyncIterable<string>,
  now: () => Instant,
): Promise<ReadonlyMap<ShootNamespace, ProberTold>> {
  const told = new Map<ShootNamespace, ProberTold>();
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
    if (event.type === 'ended') told.delete(subject);
    else told.set(subject, after(told.get(subject), entry.turn));
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
function after(before: ProberTold | undefined, { at, event, from, to, commands, notes }: ShootTurn): ProberTold {
  const { failing: _failing, ...kept } = before ?? { state: to };
  const verdict = notes.find((note) => note.kind === 'verdict');
  const wake = commands.findLast(({ type }) => type === 'wake');
  const failing = failingAfter(before?.failing, event);
  return {
    ...kept,
    state: to,
    ...(from === to ? {} : { since: at }),
    ...(verdict === undefined
      ? {}
      : { verdict: { kind: verdict.verdict, expired: verdict.expired, candidates: verdict.candidates, at } }),
    ...(wake?.type === 'wake' ? { nextAt: wake.params.at } : {}),
    ...(failing === undefined ? {} : { failing }),
    ...loweredBy(kept.downAt, event, at),
  };
}

function failingAfter(before: string | undefined, event: ShootTurn['event']): string | undefined {
  if (event.type === 'probe.failed' || event.type === 'candidates.failed')
    return operatorLine(`${event.failure.stage}, ${event.failure.reason}: ${event.failure.detail}`);
  return event.type === 'probe.answered' || event.type === 'started' ? undefined : before;
}

function loweredBy(before: ProberTold['downAt'], event: ShootTurn['event'], at: number): Pick<ProberTold, 'downAt'> {
  if (event.type !== 'scale.answered' || event.answer.outcome !== 'written' || event.asked.change.replicas !== 0)
    return before === undefined ? {} : { downAt: before };
  return { downAt: { ...before, [event.asked.key]: at } };
}

async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield Buffer.from(line);
}
