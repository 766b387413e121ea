import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Instant } from '../../domain/time.ts';
import type { Kind } from '../wire/wire.ts';
import type { FoundTurns, Span } from './history.ts';
import { blockPart, instantOfLine, type TurnBlock } from './turn-block.ts';

export type KeptTurns = Readonly<{
  /** Whether the next line of that run must be one that a replay can begin with. */
  needsBefore(subject: string, run: string): boolean;
  append(subject: string, run: string, line: string): void;
  find(subject: string, span: Span): FoundTurns | undefined;
  /** Turns that were given up to make room. */
  dropped(): number;
  /** Nothing more comes: what is open is packed too. */
  close(): void;
}>;

export type KeptLimits = Readonly<{
  /** A block is packed at about this length. It is the least that is read for one turn. */
  blockCharacters: number;
  /** All blocks together, packed. Beyond it the oldest go. */
  packedBytes: number;
}>;

const keptLimits: KeptLimits = { blockCharacters: 131_072, packedBytes: 512 * 1_048_576 };

type Packed = Readonly<{ run: string; packed: Buffer; firstAt: Instant; lastAt: Instant; turns: number }>;
type Open = { run: string; lines: string[]; characters: number };
type Machine = { packed: Packed[]; open: Open | undefined; lost: boolean };

/** The turns of all machines of one kind, each machine's by themselves, packed into blocks: any part of them is found without reading the rest. */
export function keptTurns(kind: Kind, { blockCharacters, packedBytes }: KeptLimits = keptLimits): KeptTurns {
  const machines = new Map<string, Machine>();
  /** Whose blocks were packed, in that order. */
  const order: string[] = [];
  let next = 0;
  let bytes = 0;
  let dropped = 0;

  function pack(subject: string, machine: Machine): void {
    const { open } = machine;
    if (open === undefined) return;
    machine.open = undefined;
    const { run, lines } = open;
    const packed = compress(lines.join('\n'));
    const [firstAt, lastAt] = [instantOfLine(lines[0] ?? ''), instantOfLine(lines.at(-1) ?? '')];
    machine.packed.push({ run, packed, firstAt, lastAt, turns: lines.length });
    order.push(subject);
    bytes += packed.length;
    while (bytes > packedBytes && next < order.length - 1) dropOldest();
  }

  function dropOldest(): void {
    const machine = machines.get(order[next] ?? '');
    next += 1;
    const oldest = machine?.packed.shift();
    if (machine === undefined || oldest === undefined) return;
    machine.lost = true;
    bytes -= oldest.packed.length;
    dropped += oldest.turns;
  }

  return {
    needsBefore: (subject, run) => machines.get(subject)?.open?.run !== run,
    append(subject, run, line) {
      const machine = machines.get(subject) ?? { packed: [], open: undefined, lost: false };
      machines.set(subject, machine);
      if (machine.open !== undefined && machine.open.run !== run) pack(subject, machine);
      machine.open ??= { run, lines: [], characters: 0 };
      machine.open.lines.push(line);
      machine.open.characters += line.length;
      if (machine.open.characters >= blockCharacters) pack(subject, machine);
    },
    find(subject, span) {
      const machine = machines.get(subject);
      if (machine === undefined) return undefined;
      const { packed, open } = machine;
      const blocks = [
        ...packed.map((one) => ({ firstAt: one.firstAt, lastAt: one.lastAt, block: () => unpacked(one) })),
        ...(open === undefined ? [] : [{ firstAt: -Infinity, lastAt: Infinity, block: () => open }]),
      ];
      const parts: (readonly string[])[] = [];
      let left = span.most;
      let [earlier, later] = [machine.lost, false];
      // The youngest are wanted, so the last blocks are read first.
      for (const { firstAt, lastAt, block } of blocks.toReversed()) {
        if (lastAt < span.from || left === 0) {
          earlier = true;
          break;
        }
        if (firstAt > span.until) {
          later = true;
          continue;
        }
        const part = blockPart(kind, block(), { ...span, most: left });
        parts.unshift(part.turns);
        left -= part.turns.length;
        earlier ||= part.earlier;
        later ||= part.later;
      }
      return { turns: parts.flat(), earlier, later };
    },
    dropped: () => dropped,
    close() {
      for (const [subject, machine] of machines) pack(subject, machine);
    },
  };
}

function compress(text: string): Buffer {
  return zstdCompressSync(Buffer.from(text), { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

function unpacked({ run, packed }: Packed): TurnBlock {
  return { run, lines: zstdDecompressSync(packed).toString().split('\n') };
}
