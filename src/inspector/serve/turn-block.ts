import { instantOfLine, type JournalTurnOf } from '../../adapters/journal/journal-line.ts';
import type { Instant } from '../../domain/time.ts';
import { pureMachines } from '../../machines/kinds.ts';
import type { Language, PureMachine } from '../../machines/pure-machine.ts';
import { retakeTurns } from '../told/retaken.ts';
import type { Kind } from '../wire/wire.ts';
import type { Span } from './history.ts';

/** Turns of one machine in one run, as the journal's lines without their line breaks. A replay can begin at the first one. */
export type TurnBlock = Readonly<{ run: string; lines: readonly string[] }>;

/** A block that is read only when it is needed. It holds no turn of the machine from before `firstAt`, or from after `lastAt`. */
export type LazyBlock = Readonly<{ firstAt: Instant; lastAt: Instant; read: () => TurnBlock }>;

type BlockPart = Readonly<{ turns: readonly string[]; earlier: boolean; later: boolean }>;

/** Those turns of a block that are asked for, each with its run; the first one carries `before`, so that a replay can begin there. */
export function blockPart(kind: Kind, { run, lines }: TurnBlock, { from, until, most }: Span): BlockPart {
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
export function ofRun(line: string, run: string): string {
  return `${line.slice(0, -1)},"run":${JSON.stringify(run)}}`;
}

/** The last of the lines, with the snapshot that the ones before it lead to. */
function withBefore(kind: Kind, run: string, lines: readonly string[]): string {
  const turns = lines.map((line) => ({ ...(JSON.parse(line) as JournalTurnOf<Language>), run }));
  const machine: PureMachine<Language> = pureMachines[kind];
  const last = retakeTurns(machine, turns).at(-1);
  const line = lines.at(-1) ?? '';
  if (last?.before === undefined || last.turn.before !== undefined) return line;
  return carrying(line, last.before);
}

/** A line that is told where its machine stood before. */
export function carrying(line: string, before: unknown): string {
  return `${line.slice(0, -1)},"before":${JSON.stringify(before)}}`;
}
