import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Subject } from '../turns/subject-of.ts';
import { subjectOfLine } from './journal-line.ts';

/** A part of the journal that is closed. */
export type MemoryChapter = Readonly<{
  compressed: Buffer;
  turns: number;
  /** How many machines have turns in it. */
  subjects: number;
  /** About how many of the compressed bytes are of which machine, where that is a good part of them. */
  greatest: ReadonlyMap<Subject, number>;
}>;

/** Smaller parts of a chapter are nobody's burden, and not worth remembering. */
const goodPart = 1 / 16;

/** `lines` with their line breaks, the header first. */
export function sealChapter(lines: readonly string[]): MemoryChapter {
  const text = Buffer.from(lines.join(''));
  // The fastest level: a journal's lines repeat each other, and a higher one gains a tenth for twice the time.
  const compressed = zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  const lengths = new Map<Subject, number>();
  let all = 0;
  for (const line of lines) {
    const subject = subjectOfLine(line);
    all += line.length;
    if (subject !== undefined) lengths.set(subject, (lengths.get(subject) ?? 0) + line.length);
  }
  const parts = [...lengths].map(([subject, length]) => [subject, length / all] as const);
  return {
    compressed,
    turns: lines.length - 1,
    subjects: lengths.size,
    greatest: new Map(
      parts.filter(([, part]) => part >= goodPart).map(([subject, part]) => [subject, part * compressed.length]),
    ),
  };
}

export function chapterText({ compressed }: MemoryChapter): Buffer {
  return zstdDecompressSync(compressed);
}

/** The chapter without one machine's turns; undefined where no turn is left. */
export function chapterWithout(chapter: MemoryChapter, subject: Subject): MemoryChapter | undefined {
  const lines = chapterText(chapter)
    .toString()
    .split(/(?<=\n)/);
  const left = lines.filter((line) => subjectOfLine(line) !== subject);
  return left.length > 1 ? sealChapter(left) : undefined;
}

/**
 * Who holds more than its share of the memory (SPEC 4.7): a quarter, or where there are few machines, twice what each of
 * them would have; the one that holds most. Undefined where nobody does, or nobody else is there.
 */
export function greediest(chapters: readonly MemoryChapter[], memoryBytes: number): Subject | undefined {
  const machines = Math.max(0, ...chapters.map(({ subjects }) => subjects));
  if (machines < 2) return undefined;
  const held = new Map<Subject, number>();
  for (const { greatest } of chapters)
    for (const [subject, bytes] of greatest) held.set(subject, (held.get(subject) ?? 0) + bytes);
  const most = [...held].reduce<readonly [Subject | undefined, number]>(
    (one, other) => (other[1] > one[1] ? other : one),
    [undefined, 0],
  );
  const share = memoryBytes * Math.max(1 / 4, Math.min(3 / 4, 2 / machines));
  return most[1] > share ? most[0] : undefined;
}
