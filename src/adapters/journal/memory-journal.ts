import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Dropped, JournalLimits } from './journal-limits.ts';
import type { Subject } from '../turns/subject-of.ts';
import type { Shelf } from './shelf.ts';

type SealedChapter = Readonly<{ compressed: Buffer; turns: number }>;

/** The youngest part of the journal, in memory: chapters, of which all but the last are compressed (SPEC 9.6). */
export type MemoryJournal = Shelf &
  Readonly<{
    /** JSON lines, oldest first, as they stand at the call; each piece is one chapter with its header. */
    chapters(): Iterable<Buffer>;
  }>;

/** `header` gives the first line of a chapter that is opened now. */
export function memoryJournal(
  limits: JournalLimits,
  header: () => string,
  onDropped: (dropped: Dropped) => void,
): MemoryJournal {
  const sealed: SealedChapter[] = [];
  let sealedBytes = 0;
  let sealedTurns = 0;
  let open: string[] = [];
  let openBytes = 0;
  let known = new Set<Subject>();

  function begin(): void {
    const first = header();
    open = [first];
    openBytes = Buffer.byteLength(first);
    known = new Set();
  }

  function seal(): void {
    const text = Buffer.from(open.join(''));
    // The fastest level: a journal's lines repeat each other, and a higher one gains a tenth for twice the time.
    const compressed = zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
    const turns = open.length - 1;
    sealed.push({ compressed, turns });
    sealedBytes += compressed.length;
    sealedTurns += turns;
    begin();
  }

  function makeRoom(): void {
    for (;;) {
      const tooLong = sealedBytes + openBytes > limits.memoryBytes;
      if (!tooLong && sealedTurns + open.length - 1 <= limits.memoryTurns) return;
      const oldest = sealed.shift();
      if (oldest === undefined) return;
      sealedBytes -= oldest.compressed.length;
      sealedTurns -= oldest.turns;
      onDropped({
        reason: tooLong ? 'memoryBytes' : 'memoryTurns',
        turns: oldest.turns,
        bytes: oldest.compressed.length,
      });
    }
  }

  begin();
  return {
    prepare(bytes) {
      if (known.size > 0 && openBytes + bytes > limits.memoryChapterBytes) seal();
    },
    knows: (subject) => known.has(subject),
    append(subject, line) {
      open.push(line);
      openBytes += Buffer.byteLength(line);
      known.add(subject);
      makeRoom();
    },
    forget: (subject) => void known.delete(subject),
    chapters() {
      const whole = [...sealed];
      const last = open.join('');
      return (function* () {
        for (const { compressed } of whole) yield zstdDecompressSync(compressed);
        yield Buffer.from(last);
      })();
    },
  };
}
