import { ReaderGone } from 'dependency-watchdog/adapters/http/http-server.ts';
import type { Kind } from '../wire/wire.ts';
import type { FoundTurns, Span } from './history.ts';
import {
  instantOfLine,
  turnToWrite,
  type JournalTurnOf,
} from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { pureMachines } from 'dependency-watchdog/machines/kinds.ts';
import type { Language, PureMachine } from 'dependency-watchdog/machines/pure-machine.ts';
import { replayTurns } from '../model/replayed-turn.ts';
import { serverSentEvent } from './event-stream.ts';
import { journalLimits } from 'dependency-watchdog/adapters/record/journal/journal-limits.ts';
import type { Turn } from 'dependency-watchdog/effects/turn.ts';

/** One answer holds no more than this, however long the turns are: a shoot with 5,000 nodes has turns of a megabyte. */
const mostCharacters = 64 * 1_048_576;

/**
 * The turns of one machine that are asked for. The youngest are wanted, so the last blocks are read first. Before each
 * one it waits for `pass`, so that others get their turn.
 */
export async function findTurns(
  kind: Kind,
  blocks: readonly LazyBlock[],
  span: Span,
  pass: () => Promise<void>,
  isWanted: () => boolean = () => true,
): Promise<FoundTurns> {
  const parts: (readonly string[])[] = [];
  let [turns, characters, earlier, later] = [0, 0, false, false];
  for (const { firstAt, lastAt, read } of blocks.toReversed()) {
    if (lastAt < span.from || turns === span.most || characters > mostCharacters) {
      earlier = true;
      break;
    }
    if (firstAt > span.until) {
      later = true;
      continue;
    }
    await pass();
    if (!isWanted()) throw new ReaderGone('nobody waits for these turns any more');
    const part = blockPart(kind, await read(), { ...span, most: span.most - turns });
    parts.unshift(part.turns);
    turns += part.turns.length;
    characters += part.turns.reduce((sum, { length }) => sum + length, 0);
    earlier ||= part.earlier;
    later ||= part.later;
  }
  return { turns: parts.flat(), earlier, later };
}

/** Turns of one machine in one run, as the journal's lines without their line breaks. A replay can begin at the first one. */
type TurnBlock = Readonly<{ run: string; lines: readonly string[] }>;

/** A block that is read only when it is needed. It holds no turn of the machine from before `firstAt`, or from after `lastAt`. */
export type LazyBlock = Readonly<{ firstAt: Instant; lastAt: Instant; read: () => TurnBlock | Promise<TurnBlock> }>;

type BlockPart = Readonly<{ turns: readonly string[]; earlier: boolean; later: boolean }>;

/** Those turns of a block that are asked for, each with its run; the first one carries `before`, so that a replay can begin there. */
function blockPart(kind: Kind, { run, lines }: TurnBlock, { from, until, most }: Span): BlockPart {
  const instants = lines.map(instantOfLine);
  const first = instants.findIndex((at) => at >= from);
  const begin = first === -1 ? lines.length : first;
  const end = instants.findLastIndex((at) => at <= until) + 1;
  const start = Math.max(begin, end - most);
  const wanted = start < end ? lines.slice(start, end) : [];
  const [head, ...rest] = wanted;
  const turns =
    head === undefined ? [] : [start === 0 ? head : withBefore(kind, run, lines.slice(0, start + 1)), ...rest];
  return { turns: turns.map((line) => ofRun(line, run)), earlier: Math.min(start, end) > 0, later: end < lines.length };
}

/** A line of the journal as it goes over the wire: with its run. */
function ofRun(line: string, run: string): string {
  return `${line.slice(0, -1)},"run":${JSON.stringify(run)}}`;
}

/** The last of the lines, with the snapshot that the ones before it lead to. */
function withBefore(kind: Kind, run: string, lines: readonly string[]): string {
  const turns = lines.map((line) => ({ ...(JSON.parse(line) as JournalTurnOf<Language>), run }));
  const machine: PureMachine<Language> = pureMachines[kind];
  const last = replayTurns(machine, turns).at(-1);
  const line = lines.at(-1) ?? '';
  if (last?.before === undefined || last.turn.before !== undefined) return line;
  return carrying(line, JSON.stringify(last.before));
}

/** A line that is told where its machine stood before; `before` is JSON. */
export function carrying(line: string, before: string): string {
  return `${line.slice(0, -1)},"before":${before}}`;
}

/** The event `turns` of a stream. `turns`: as JSON, each with its run. */
export function turnsEvent(turns: readonly string[]): Buffer {
  return serverSentEvent('turns', `{"turns":[${turns.join(',')}]}`);
}

/** The event of one turn as it is taken, made once for all who want it; undefined where it is longer than a turn may be. */
export type LiveTurnEvents = Readonly<{ bare(): Buffer | undefined; withBefore(): Buffer | undefined }>;

export function liveTurnEvents(turn: Turn, run: string): LiveTurnEvents {
  const { size, lines } = turnToWrite(turn, journalLimits.turnBytes);
  if (size > journalLimits.turnBytes) return { bare: () => undefined, withBefore: () => undefined };
  const written = lines();
  return {
    bare: once(() => eventOf(written.bare, run)),
    withBefore: once(() => eventOf(written.withBefore(), run)),
  };
}

/** A line ends with its line break. */
function eventOf(line: string | undefined, run: string): Buffer | undefined {
  return line === undefined ? undefined : turnsEvent([ofRun(line.slice(0, -1), run)]);
}

function once<Value>(make: () => Value): () => Value {
  let made: Readonly<{ value: Value }> | undefined;
  return () => (made ??= { value: make() }).value;
}
