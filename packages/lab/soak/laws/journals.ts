import { subjectOfLine } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import { readJournal } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Law } from '../law.ts';
import type { Slot } from '../scene.ts';

/** What was told at the last moment may still be on its way to the disk. */
const onItsWay = 1_000;

/** `losing`: its disk took nothing for a while, and what was not counted then is gone with the process. `removed`: turns in files that had to make room. */
type Run = { readonly at: Instant[]; ended: boolean; losing: boolean; removed: number };

/** A process that ends waits a second for its disk, and what that has not taken by then is lost. */
const losing = new Set([
  'disk slow',
  'disk full',
  'disk failing',
  'disk read-only',
  'disk hung',
  'no descriptors',
  'journals deleted',
]);

/** What is on a disk can be read to its end, and it is every turn that was taken, but for those of which the process has counted that they are not there, and those in files that it removed to make room. */
export const journals: Law = {
  name: '9.6 the journal on the disk has every turn, or counts it as lost',
  begin(scene, { breaks }) {
    const counts = { 'journals read from their disks': 0 };
    if (!scene.plan.journals) return { counts: () => counts };
    const runs: Run[] = [];
    const runOf = new Map<string, Run>();
    const ailing = new Set<unknown>();
    const emptied = new Set<unknown>();

    const runNamed = (name: string): Run | undefined => runs[Number(name.split('-').at(-1)) - 1];

    const wrongIn = async (slot: Slot): Promise<string | undefined> => {
      const present = slot.process && runOf.get(slot.process.name);
      // One that writes nothing at all has a journal, too.
      const kept = new Map<Run, number>(present === undefined ? [] : [[present, 0]]);
      for (const [path, bytes] of slot.disk.contents()) {
        let run: Run | undefined;
        for await (const entry of readJournal({ name: path, bytes: inOnePiece(bytes) })) {
          if (entry.kind === 'header') run = runNamed(entry.header.run);
          if (entry.kind === 'turn' && run !== undefined) kept.set(run, (kept.get(run) ?? 0) + 1);
          if (entry.kind === 'damaged') return `${path} of ${slot.name}, line ${entry.line}: ${entry.problem}`;
        }
      }
      for (const [run, onDisk] of kept) {
        const turns = onDisk + run.removed;
        const dropped = run === present ? await droppedBy(slot) : 0;
        if (dropped === undefined) continue;
        const { length } = run.at;
        const due = run.at.filter((at) => at < scene.now() - onItsWay).length;
        if (turns + dropped > length)
          return `${slot.name} has taken ${length} turns; its journal has ${turns}, and ${dropped} are counted as lost`;
        // Of a process that crashed nobody counts what was lost; files that were deleted had turns that were not.
        const isWhole = run === present ? !emptied.has(slot.name) : run.ended && !run.losing;
        if (!isWhole) continue;
        counts['journals read from their disks'] += 1;
        if (turns + dropped < due)
          return `${slot.name} took ${due} turns; its journal has ${turns}, and only ${dropped} are counted as lost`;
      }
      return undefined;
    };

    return {
      turn: ({ at, process }) => void runOf.get(process)?.at.push(at),
      process({ slot, process, did }) {
        const run = runOf.get(process);
        if (did === 'ended' && run !== undefined) run.ended = true;
        if (did !== 'started') return;
        const begun: Run = { at: [], ended: false, losing: ailing.has(slot), removed: 0 };
        runs.push(begun);
        runOf.set(process, begun);
      },
      happening({ happening: { kind, of } }) {
        const slot = scene.slots.find(({ name }) => name === of?.slot);
        if (kind === 'disk well' || kind === 'host well') ailing.delete(slot?.name);
        if (!losing.has(kind)) return;
        if (kind === 'journals deleted') emptied.add(slot?.name);
        else ailing.add(slot?.name);
        const run = runOf.get(slot?.process?.name ?? '');
        if (run !== undefined) run.losing = true;
      },
      look() {
        for (const { disk } of scene.slots)
          for (const bytes of disk.removed.splice(0)) {
            const [head = '', ...lines] = bytes.toString().split('\n');
            const run = head === '' ? undefined : runNamed((JSON.parse(head) as { run: string }).run);
            if (run !== undefined) run.removed += lines.filter((line) => subjectOfLine(line) !== undefined).length;
          }
      },
      async quiet() {
        for (const slot of scene.slots) {
          const wrong = await wrongIn(slot);
          if (wrong !== undefined) return breaks(wrong);
        }
      },
      counts: () => counts,
    };
  },
};

/** Turns that the process has counted as not on its disk; undefined where some are not in its memory either, which count twice. */
async function droppedBy({ process }: Slot): Promise<number | undefined> {
  const text = (await process?.metrics()) ?? '';
  const count = (reason: string): number =>
    Number(new RegExp(`^dwd_journal_dropped_turns_total\\{reason="${reason}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  if (count('turnBytes') + count('shootShare') > 0) return undefined;
  return count('writeFailed') + count('backlogBytes');
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** 512 MiB, less the room that is kept for the file that is written to, and what it has grown since the last look. */
const allowedBytes = 416 * 1_048_576;
/** A file with its first line alone recorded nothing. That line has the configuration. */
const headBytes = 16_384;

/**
 * What was recorded stays for as long as the bytes of its directory allow. Then the file goes that was begun first, by the world's clock: not by its name,
 * which has the time that the process believed in. The file that is written to is never removed.
 */
export const recordsStay: Law = {
  name: '9.6 what was recorded stays while its bytes allow',
  begin(scene, { breaks }) {
    /** By slot, in the order in which they were seen first. */
    const known = new Map<string, Map<string, number>>();
    let [judged, forced] = [0, 0];
    return {
      // Somebody else deletes them.
      happening({ happening: { kind, of } }) {
        if (kind === 'journals deleted') known.delete(of?.slot ?? '');
      },
      look() {
        if (!scene.plan.journals) return;
        for (const { name, disk } of scene.slots) {
          if (disk.removedByWriter !== undefined)
            return breaks(`${name} removed the file that it wrote to: ${disk.removedByWriter}`);
          const least = headBytes * disk.magnifies;
          const before = known.get(name) ?? new Map<string, number>();
          known.set(name, before);
          const sizes = disk.sizes();
          for (const [path, size] of sizes) before.set(path, size);
          const recorded = [...before.values()].reduce((sum, size) => sum + size, 0);
          let olderStands = false;
          for (const [path, size] of before) {
            judged += 1;
            const isThere = sizes.has(path);
            if (isThere) olderStands ||= size > least;
            else if (size <= least) before.delete(path);
            else if (recorded <= allowedBytes)
              return breaks(`${path} of ${name} is gone, and only ${recorded} bytes were recorded`);
            else if (olderStands) return breaks(`${path} of ${name} is gone, and an older file still stands`);
            else {
              before.delete(path);
              forced += 1;
            }
          }
        }
      },
      counts: () => ({ 'looks at files that must stay': judged, 'files that had to go': forced }),
    };
  },
};

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
  begin(scene, { breaks }) {
    let [looks, directories, chapters] = [0, 0, 0];
    return {
      look() {
        looks += 1;
        if (!scene.plan.journals || looks % lookEvery !== 0) return;
        for (const { name, disk } of scene.slots) {
          const contents = disk.contents();
          const { size } = contents;
          const bytes = contents.values().reduce((sum, { length }) => sum + length, 0);
          directories += 1;
          if (size > mostFiles) breaks(`the disk of ${name} has ${size} files, and ${mostFiles} at most`);
          if (bytes > mostBytes) breaks(`the disk of ${name} holds ${bytes} bytes, and ${mostBytes} at most`);
        }
      },
      quiet() {
        for (const chapter of scene.slots.flatMap(({ process }) => [...(process?.journal() ?? [])])) {
          chapters += 1;
          const { filled, most } = measured(chapter);
          if (filled > most) breaks(`a chapter in memory is filled with ${filled} bytes, and ${most} at most`);
        }
      },
      counts: () => ({ 'bounds of journals: directories': directories, 'bounds of journals: chapters': chapters }),
    };
  },
};

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
