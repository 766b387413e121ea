import { subjectOfLine } from '../../../src/adapters/journal/journal-line.ts';
import type { Law } from '../law.ts';
import type { Scene } from '../scene.ts';

/** Simulated seconds between two looks. */
const lookEvery = 30;
/** Files on a disk, and what they hold. One more is begun before the oldest goes, since a disk that takes nothing must not cost history (9.6). */
const mostFiles = 4_096 + 1;
const mostBytes = (512 + 32) * 1_048_576;
/** A chapter in memory is closed once it has so much, of which one machine counts for a quarter at most. */
const chapterBytes = 1_048_576;
/** Each machine's first line in a chapter carries its snapshot, which does not count; and the last line of all was too much. */
const snapshotBytes = 32_768;

/** What is kept of the turns has its limits, on the disk and in memory. */
export const boundsOfJournals: Law = {
  name: '9.6 the journal keeps its limits',
  begin(scene) {
    let [looks, directories, chapters] = [0, 0, 0];
    return {
      look() {
        looks += 1;
        if (!scene.plan.journals || looks % lookEvery !== 0) return undefined;
        for (const { name, disk } of scene.slots) {
          const contents = disk.contents();
          const { size } = contents;
          const bytes = contents.values().reduce((sum, { length }) => sum + length, 0);
          directories += 1;
          if (size > mostFiles) return `the disk of ${name} has ${size} files, and ${mostFiles} at most`;
          if (bytes > mostBytes) return `the disk of ${name} holds ${bytes} bytes, and ${mostBytes} at most`;
        }
        return undefined;
      },
      async quiet() {
        for (const chapter of chaptersOf(scene)) {
          chapters += 1;
          const { filled, most } = measured(chapter);
          if (filled > most) return `a chapter in memory is filled with ${filled} bytes, and ${most} at most`;
        }
        return undefined;
      },
      counts: () => ({ 'bounds of journals: directories': directories, 'bounds of journals: chapters': chapters }),
    };
  },
};

function* chaptersOf(scene: Scene): Generator<Buffer> {
  for (const { process } of scene.slots) if (process !== undefined) yield* process.journal();
}

function measured(chapter: Buffer): Readonly<{ filled: number; most: number }> {
  const fills = new Map<string, number>();
  // The first line is the header.
  for (const line of chapter.toString().split('\n').slice(1, -1)) {
    const subject = subjectOfLine(line) ?? '';
    fills.set(subject, (fills.get(subject) ?? 0) + Buffer.byteLength(line));
  }
  let filled = 0;
  for (const bytes of fills.values()) filled += Math.min(bytes, chapterBytes / 4);
  return { filled, most: chapterBytes + snapshotBytes * (fills.size + 1) };
}
