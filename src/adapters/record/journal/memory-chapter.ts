import { Buffer } from 'node:buffer';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Instant } from '../../../domain/time.ts';
import { subjectOfLine, instantOfLine } from './journal-line.ts';

/** How many turns a chapter has, and when its first and its last were. */
export type ChapterExtent = Readonly<{ turns: number; firstAt: Instant; lastAt: Instant }>;

/** A part of the journal that is closed. */
export type MemoryChapter = ChapterExtent &
  Readonly<{
    compressed: Buffer;
    /** How many machines have turns in it. */
    subjects: number;
    /** How many of the compressed bytes one machine causes, for the machines that cause most. */
    greatest: ReadonlyMap<string, number>;
  }>;

/** A smaller part of a chapter is no burden, even where it is noise and all else compresses well. */
const goodPart = 1 / 32;

/** So many machines of each chapter are measured, at some 2 ms each. One that floods every chapter is among them. */
const measured = 2;

export function sealChapter({ text, turns, firstAt, lastAt, bytesOf }: ChapterText): MemoryChapter {
  const compressed = compress(text);
  const greatest = [...bytesOf]
    .filter(([, bytes]) => bytes >= goodPart * text.length)
    // Compressed by itself: noise keeps its length, and repeated words shrink to almost nothing.
    .map(([subject]) => ({ subject, alone: compress(partsOf(text, subject).own).length }))
    .toSorted((one, other) => other.alone - one.alone)
    .slice(0, measured)
    .map(({ subject }) => [subject, compressed.length - compress(partsOf(text, subject).others).length] as const);
  return { compressed, turns, firstAt, lastAt, subjects: bytesOf.size, greatest: new Map(greatest) };
}

/** The fastest level: a journal's lines repeat each other, and a higher one gains a tenth for twice the time. */
function compress(text: Buffer): Buffer {
  return zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

/** The lines of one machine, without their line breaks. */
export function linesIn(text: Buffer, subject: string): readonly string[] {
  return placesIn(text, subject).map(([begin, end]) => text.toString('utf8', begin, end - 1));
}

/** Where the lines of one machine are, line breaks included. The text is searched as bytes: most of it is of others. */
function placesIn(text: Buffer, subject: string): readonly (readonly [begin: number, end: number])[] {
  const named = Buffer.from(`,"subject":${JSON.stringify(subject)},`);
  const places: [number, number][] = [];
  for (let at = text.indexOf(named); at !== -1;) {
    const begin = text.lastIndexOf('\n', at) + 1;
    const end = text.indexOf('\n', at) + 1;
    // A name may stand elsewhere in a line, too.
    if (subjectOfLine(text.toString('utf8', begin, at + named.length)) === subject) places.push([begin, end]);
    at = text.indexOf(named, end);
  }
  return places;
}

/** A chapter's text in two: the lines of one machine, and all others. */
function partsOf(text: Buffer, subject: string): Readonly<{ own: Buffer; others: Buffer }> {
  const places = placesIn(text, subject);
  const ends = [0, ...places.map(([, end]) => end)];
  const begins = [...places.map(([begin]) => begin), text.length];
  return {
    own: Buffer.concat(places.map(([begin, end]) => text.subarray(begin, end))),
    others: Buffer.concat(begins.map((begin, index) => text.subarray(ends[index], begin))),
  };
}

export function chapterText({ compressed }: MemoryChapter): Buffer {
  return zstdDecompressSync(compressed);
}

/** The chapter without one machine's turns; undefined where no turn is left. */
export function chapterWithout(chapter: MemoryChapter, subject: string): MemoryChapter | undefined {
  const { others } = partsOf(chapterText(chapter), subject);
  const [header = '', ...lines] = others.toString().split(/(?<=\n)/);
  if (lines.length === 0) return undefined;
  const left = new OpenChapter(header, others.length);
  for (const line of lines) left.append(subjectOfLine(line) ?? '', line, Buffer.byteLength(line));
  return sealChapter(left.whole());
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

/** What a chapter holds: JSON lines with their line breaks, the header first; and how many bytes of it each machine has. */
export type ChapterText = ChapterExtent & Readonly<{ text: Buffer; bytesOf: ReadonlyMap<string, number> }>;

/**
 * The chapter that still grows. It is written as bytes at once: lines kept as texts would live just long enough for the collection of garbage to copy each of
 * them twice, and would be joined and encoded when the chapter is closed.
 */
export class OpenChapter {
  #text: Buffer;
  #length = 0;
  #turns = 0;
  #firstAt: Instant = Number.NaN;
  #lastLine = '';
  #bytesOf = new Map<string, number>();

  /** `size`: how many bytes a chapter is likely to take. */
  constructor(header: string, size: number) {
    this.#text = Buffer.allocUnsafeSlow(size);
    this.begin(header);
  }

  /** Forgets all, and takes the next chapter in the same place. */
  begin(header: string): void {
    [this.#length, this.#turns, this.#lastLine, this.#bytesOf] = [0, 0, '', new Map()];
    this.#write(header, Buffer.byteLength(header));
  }

  get length(): number {
    return this.#length;
  }

  get turns(): number {
    return this.#turns;
  }

  /** A line with its line break, and how many bytes that is. */
  append(subject: string, line: string, bytes: number): void {
    this.#write(line, bytes);
    if (this.#turns === 0) this.#firstAt = instantOfLine(line);
    this.#turns += 1;
    this.#lastLine = line;
    this.#bytesOf.set(subject, (this.#bytesOf.get(subject) ?? 0) + bytes);
  }

  /** As it stands now, and only until the next chapter begins: the bytes are not copied. */
  whole(): ChapterText {
    return {
      text: this.#text.subarray(0, this.#length),
      turns: this.#turns,
      firstAt: this.#firstAt,
      lastAt: instantOfLine(this.#lastLine),
      bytesOf: this.#bytesOf,
    };
  }

  #write(line: string, bytes: number): void {
    const length = this.#length + bytes;
    if (length > this.#text.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length);
      this.#text.copy(larger, 0, 0, this.#length);
      this.#text = larger;
    }
    this.#text.write(line, this.#length);
    this.#length = length;
  }
}
