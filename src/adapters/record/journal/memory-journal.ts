import type { Dropped, JournalLimits } from './journal-limits.ts';
import {
  chapterText,
  chapterWithout,
  greediest,
  linesIn,
  sealChapter,
  type MemoryChapter,
  OpenChapter,
  type ChapterExtent,
} from './memory-chapter.ts';
import type { JournalSink } from './journal-line.ts';

/** A chapter in memory. */
export type MemoryPart = ChapterExtent &
  Readonly<{
    /** The lines of one machine, without their line breaks; it takes some milliseconds. A replay can begin at the first one. */
    linesOf(subject: string): readonly string[];
  }>;

/**
 * One machine fills at most this part of a chapter, however much it says: a new chapter costs every other machine a
 * snapshot. So a chapter may grow to this many times its usual length before it is closed.
 */
const fillPart = 1 / 4;
const longest = 4;

/**
 * The youngest part of the journal, in memory: chapters, of which all but the last are compressed (SPEC 9.6). `header` gives the first line of a new
 * chapter; `onCut` is told whose turns were taken out to make room.
 */
export function memoryJournal(
  limits: JournalLimits,
  header: () => string,
  onDropped: (dropped: Dropped) => void,
  onCut: (subject: string) => void,
) {
  let sealed: readonly MemoryChapter[] = [];
  let sealedBytes = 0;
  let sealedTurns = 0;
  const open = new OpenChapter(header(), limits.memoryChapterBytes);
  /** How far each machine fills the open chapter, up to its part of it; and the sum. */
  let fills = new Map<string, number>();
  let filled = 0;
  let known = new Set<string>();
  /** Of the turn that comes next, without a snapshot. */
  let bare = 0;

  function begin(): void {
    open.begin(header());
    fills = new Map();
    filled = 0;
    known = new Set();
  }

  function fill(subject: string, bytes: number): void {
    const before = fills.get(subject) ?? 0;
    const after = Math.min(before + bytes, limits.memoryChapterBytes * fillPart);
    fills.set(subject, after);
    filled += after - before;
  }

  function replaceSealed(chapters: readonly MemoryChapter[]): void {
    sealed = chapters;
    sealedBytes = chapters.reduce((sum, { compressed }) => sum + compressed.length, 0);
    sealedTurns = chapters.reduce((sum, { turns }) => sum + turns, 0);
  }

  function seal(): void {
    replaceSealed([...sealed, sealChapter(open.whole())]);
    begin();
  }

  function makeRoom(): void {
    for (;;) {
      const tooMuch = sealedBytes - limits.memoryBytes;
      if (tooMuch <= 0 && sealedTurns + open.turns <= limits.memoryTurns) return;
      const greedy = tooMuch > 0 ? greediest(sealed, limits.memoryBytes) : undefined;
      // One cut a turn, since it stops the event loop for some 5 ms. The next turns cut the rest.
      if (greedy !== undefined) return cut(greedy);
      if (!dropOldest(tooMuch > 0 ? 'memoryBytes' : 'memoryTurns')) return;
    }
  }

  function dropOldest(reason: Dropped['reason']): boolean {
    const [oldest, ...younger] = sealed;
    if (oldest === undefined) return false;
    replaceSealed(younger);
    onDropped({ reason, turns: oldest.turns, bytes: oldest.compressed.length });
    return true;
  }

  /** Takes the turns of one machine out of the oldest chapter that has many of them; the others keep theirs. */
  function cut(subject: string): void {
    const index = sealed.findIndex(({ greatest }) => greatest.has(subject));
    const before = sealed[index];
    if (before === undefined) return;
    const after = chapterWithout(before, subject);
    replaceSealed(sealed.toSpliced(index, 1, ...(after === undefined ? [] : [after])));
    onDropped({
      reason: 'memoryShare',
      turns: before.turns - (after?.turns ?? 0),
      bytes: before.compressed.length - (after?.compressed.length ?? 0),
    });
    onCut(subject);
  }

  const sink: JournalSink = {
    prepare(bytes) {
      bare = bytes;
      const isFull = filled > limits.memoryChapterBytes || open.length + bytes > limits.memoryChapterBytes * longest;
      if (open.turns > 0 && isFull) seal();
    },
    knows: (subject) => known.has(subject),
    append(subject, line, bytes) {
      open.append(subject, line, bytes);
      // Snapshots do not count. Else the chapters of many machines would hold little else, and each new one calls for more of them.
      fill(subject, Math.min(bytes, bare));
      known.add(subject);
      makeRoom();
    },
    forget: (subject) => void known.delete(subject),
  };

  return {
    ...sink,
    /** The header has changed, which matters only to a chapter without turns: those that follow have the new one anyway. */
    renewHeader(): void {
      if (open.turns === 0) begin();
    },
    /** JSON lines, oldest first, as they stand at the call; each piece is one chapter with its header. */
    chapters(): Iterable<Buffer> {
      const last = Buffer.from(open.whole().text);
      return (function* (whole) {
        for (const chapter of whole) yield chapterText(chapter);
        yield last;
      })(sealed);
    },
    /** The same, to be searched: oldest first, as they stand at the call. */
    parts(): readonly MemoryPart[] {
      const { text, turns, firstAt, lastAt } = open.whole();
      const now = Buffer.from(text);
      const last = { turns, firstAt, lastAt, linesOf: (subject: string) => linesIn(now, subject) };
      return [...sealed.map(sealedPart), ...(turns === 0 ? [] : [last])];
    },
  };
}

function sealedPart(chapter: MemoryChapter): MemoryPart {
  const { turns, firstAt, lastAt } = chapter;
  return { turns, firstAt, lastAt, linesOf: (subject) => linesIn(chapterText(chapter), subject) };
}
