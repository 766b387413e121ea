import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Instant } from '../../domain/time.ts';
import { instantOfLine, subjectOfLine } from './journal-line.ts';

/** A part of the journal that is closed. */
export type MemoryChapter = Readonly<{
  compressed: Buffer;
  turns: number;
  /** Of its first turn, and of its last. */
  firstAt: Instant;
  lastAt: Instant;
  /** How many machines have turns in it. */
  subjects: number;
  /** How many of the compressed bytes one machine causes, for the machines that cause most. */
  greatest: ReadonlyMap<string, number>;
}>;

/** A smaller part of a chapter is no burden, even where it is noise and all else compresses well. */
const goodPart = 1 / 32;

/** So many machines of each chapter are measured, at some 2 ms each. One that floods every chapter is among them. */
const measured = 2;

/** `lines` with their line breaks, the header first. */
export function sealChapter(lines: readonly string[]): MemoryChapter {
  const all = lines.join('');
  const bySubject = Map.groupBy(lines.slice(1), (line) => subjectOfLine(line) ?? '');
  const compressed = compress(all);
  const greatest = [...bySubject]
    .map(([subject, own]) => ({ subject, text: own.join('') }))
    .filter(({ text }) => text.length >= goodPart * all.length)
    // Compressed by itself: noise keeps its length, and repeated words shrink to almost nothing.
    .map(({ subject, text }) => ({ subject, alone: compress(text).length }))
    .toSorted((one, other) => other.alone - one.alone)
    .slice(0, measured)
    .map(({ subject }) => [subject, compressed.length - compress(without(lines, subject).join('')).length] as const);
  return {
    compressed,
    turns: lines.length - 1,
    firstAt: instantOfLine(lines[1] ?? ''),
    lastAt: instantOfLine(lines.at(-1) ?? ''),
    subjects: bySubject.size,
    greatest: new Map(greatest),
  };
}

function without(lines: readonly string[], subject: string): readonly string[] {
  return lines.filter((line) => subjectOfLine(line) !== subject);
}

/** The fastest level: a journal's lines repeat each other, and a higher one gains a tenth for twice the time. */
function compress(text: string): Buffer {
  return zstdCompressSync(Buffer.from(text), { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

/** The lines of one machine, without their line breaks. The text is searched as bytes: most of it is of others. */
export function linesIn(text: Buffer, subject: string): readonly string[] {
  const named = Buffer.from(`,"subject":${JSON.stringify(subject)},`);
  const lines: string[] = [];
  for (let at = text.indexOf(named); at !== -1;) {
    const begin = text.lastIndexOf('\n', at) + 1;
    const end = text.indexOf('\n', at);
    const line = text.toString('utf8', begin, end === -1 ? text.length : end);
    // A name may stand elsewhere in a line, too.
    if (subjectOfLine(line) === subject) lines.push(line);
    at = end === -1 ? -1 : text.indexOf(named, end);
  }
  return lines;
}

export function chapterText({ compressed }: MemoryChapter): Buffer {
  return zstdDecompressSync(compressed);
}

/** The chapter without one machine's turns; undefined where no turn is left. */
export function chapterWithout(chapter: MemoryChapter, subject: string): MemoryChapter | undefined {
  const lines = chapterText(chapter)
    .toString()
    .split(/(?<=\n)/);
  const left = without(lines, subject);
  return left.length > 1 ? sealChapter(left) : undefined;
}

/**
 * The machine that holds most of the memory, if that is more than its share (SPEC 4.7). The share is a quarter, or with few
 * machines twice an equal part. Undefined where no machine holds more, or there is only one.
 */
export function greediest(chapters: readonly MemoryChapter[], memoryBytes: number): string | undefined {
  const machines = Math.max(0, ...chapters.map(({ subjects }) => subjects));
  if (machines < 2) return undefined;
  const held = new Map<string, number>();
  for (const { greatest } of chapters)
    for (const [subject, bytes] of greatest) held.set(subject, (held.get(subject) ?? 0) + bytes);
  const most = [...held].reduce<readonly [string | undefined, number]>(
    (one, other) => (other[1] > one[1] ? other : one),
    [undefined, 0],
  );
  const share = memoryBytes * Math.max(1 / 4, Math.min(3 / 4, 2 / machines));
  return most[1] > share ? most[0] : undefined;
}
