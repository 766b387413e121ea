import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { instantOfLine } from '../../adapters/journal/journal-line.ts';
import type { LazyBlock } from './find-turns.ts';

export type KeptTurns = Readonly<{
  /** Whether the next line of that run must be one that a replay can begin with. */
  needsBefore(subject: string, run: string): boolean;
  append(subject: string, run: string, line: string): void;
  /** Of one machine, oldest first; undefined where none of its turns ever came. */
  blocksOf(subject: string): readonly LazyBlock[] | undefined;
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

/** A journal directory of 512 MiB takes some 40 MiB. */
const keptLimits: KeptLimits = { blockCharacters: 131_072, packedBytes: 512 * 1_048_576 };

type PackedBlock = Omit<LazyBlock, 'read'> & Readonly<{ run: string; packed: Buffer; turns: number }>;
type OpenBlock = { run: string; lines: string[]; characters: number };
type Machine = { packed: PackedBlock[]; open: OpenBlock | undefined };

/** The turns of all machines of one kind, each machine's by themselves, packed into blocks: any part of them is found without reading the rest. */
export function keptTurns({ blockCharacters, packedBytes }: KeptLimits = keptLimits): KeptTurns {
  const machines = new Map<string, Machine>();
  /** Whose blocks were packed, in that order. */
  let order: string[] = [];
  let next = 0;
  let bytes = 0;
  let dropped = 0;

  function pack(subject: string, machine: Machine): void {
    const { open } = machine;
    if (open === undefined) return;
    machine.open = undefined;
    const block = packedBlock(open);
    machine.packed.push(block);
    order.push(subject);
    bytes += block.packed.length;
    while (bytes > packedBytes && next < order.length - 1) dropOldest();
  }

  function dropOldest(): void {
    const oldest = machines.get(order[next] ?? '')?.packed.shift();
    next += 1;
    if (next > 100_000) [order, next] = [order.slice(next), 0];
    bytes -= oldest?.packed.length ?? 0;
    dropped += oldest?.turns ?? 0;
  }

  return {
    needsBefore: (subject, run) => machines.get(subject)?.open?.run !== run,
    append(subject, run, line) {
      const machine = machines.get(subject) ?? { packed: [], open: undefined };
      machines.set(subject, machine);
      if (machine.open !== undefined && machine.open.run !== run) pack(subject, machine);
      machine.open ??= { run, lines: [], characters: 0 };
      machine.open.lines.push(line);
      machine.open.characters += line.length;
      if (machine.open.characters >= blockCharacters) pack(subject, machine);
    },
    blocksOf(subject) {
      const machine = machines.get(subject);
      if (machine === undefined) return undefined;
      const { packed, open } = machine;
      return [...packed.map(lazyBlock), ...(open === undefined ? [] : [openBlock(open)])];
    },
    dropped: () => dropped,
    close() {
      for (const [subject, machine] of machines) pack(subject, machine);
    },
  };
}

function boundsOf(lines: readonly string[]): Pick<LazyBlock, 'firstAt' | 'lastAt'> {
  return { firstAt: instantOfLine(lines[0] ?? ''), lastAt: instantOfLine(lines.at(-1) ?? '') };
}

/** The fastest level: lines repeat each other, and a higher one gains a tenth for twice the time. */
function packedBlock({ run, lines }: OpenBlock): PackedBlock {
  const packed = zstdCompressSync(Buffer.from(lines.join('\n')), {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  });
  return { run, packed, turns: lines.length, ...boundsOf(lines) };
}

function lazyBlock({ run, packed, firstAt, lastAt }: PackedBlock): LazyBlock {
  return { firstAt, lastAt, read: () => ({ run, lines: zstdDecompressSync(packed).toString().split('\n') }) };
}

function openBlock({ run, lines }: OpenBlock): LazyBlock {
  return { ...boundsOf(lines), read: () => ({ run, lines }) };
}
