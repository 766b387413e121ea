import { join } from 'node:path';
import type { Instant } from '../../domain/time.ts';
import { errorCode } from '../words/errno-words.ts';
import { counted, instantText } from '../words/plain-words.ts';
import { AppendingFile, FileGone, type Lost } from './appending-file.ts';
import type { Disk } from './disk.ts';
import type { Dropped, JournalLimits } from './journal-limits.ts';
import type { JournalSink } from './journal-line.ts';
import { JournalTrouble } from './journal-trouble.ts';

/** The journal in a directory: files that follow each other, of bounded size and number (SPEC 9.6). */
export type JournalFiles = JournalSink &
  Readonly<{
    /** Writes everything out before it returns; nothing is taken after it. */
    close(): void;
  }>;

export type JournalFilesOptions = Readonly<{
  dir: string;
  /** Begins each file's name, and keeps two programs in one directory apart: `prober`. */
  role: string;
  limits: JournalLimits;
  now: () => Instant;
  header: () => string;
  onDropped: (dropped: Dropped) => void;
  onWriteFailed: () => void;
  /** One sentence, at the first failure and at the end of the trouble. */
  say: (level: 'info' | 'error', message: string) => void;
  disk: Disk;
}>;

export function journalFiles(options: JournalFilesOptions): JournalFiles {
  const { dir, disk, limits, now, onDropped, say } = options;
  const named = new RegExp(`^dwd-${options.role}-\\d{8}T\\d{9}Z-\\d{4,}\\.jsonl$`);
  const trouble = new JournalTrouble({ dir, now, say, retryPause: limits.retryPause });
  let file: AppendingFile | undefined;
  let fileBytes = 0;
  let number = 0;
  let known = new Set<string>();
  let earlier: AppendingFile[] = [];
  /** A new file has not proved yet that it can be written, so there may be one file too many. */
  let surplus = false;
  let lookedAt = -Infinity;
  let closed = false;
  /** Listing, removing and opening, one after the other: two at a time would remove the same file, or not see each other's. */
  let before: Promise<void> = Promise.resolve();

  function begin(): void {
    earlier = earlier.filter((one) => one.backlog > 0);
    if (file !== undefined) {
      file.finish();
      earlier.push(file);
    }
    number += 1;
    const stamp = instantText(now()).replace(/[-:.]/g, '');
    const path = join(dir, `dwd-${options.role}-${stamp}-${String(number).padStart(4, '0')}.jsonl`);
    const head = options.header();
    const open = () =>
      inTurn(async () => {
        await disk.make(dir);
        // There may now be one file too many: the oldest is removed once the new one has proved that it can be written.
        await removeOldest();
        surplus = true;
        return await disk.open(path);
      });
    const openNow = () => {
      disk.makeNow(dir);
      removeOldestNow();
      surplus = true;
      return disk.openNow(path);
    };
    const lost = (what: Lost) => onLost(opened, path, what);
    const opened = new AppendingFile({ disk, path, open, openNow, head, onKept, onLost: lost });
    file = opened;
    fileBytes = Buffer.byteLength(head);
    known = new Set();
    lookedAt = now();
  }

  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const working = before.then(work);
    before = working.then(
      () => undefined,
      () => undefined,
    );
    return working;
  }

  async function removeOldest(): Promise<void> {
    for (const path of tooMany(await disk.list(dir)))
      onDropped({ reason: 'files', turns: 0, bytes: await disk.remove(path) });
  }

  function removeOldestNow(): void {
    for (const path of tooMany(disk.listNow(dir)))
      onDropped({ reason: 'files', turns: 0, bytes: disk.removeNow(path) });
  }

  function tooMany(names: readonly string[]): readonly string[] {
    const files = names.filter((name) => named.test(name)).toSorted();
    return files.slice(0, Math.max(0, files.length - limits.files)).map((name) => join(dir, name));
  }

  function onKept(): void {
    trouble.written();
    if (!surplus) return;
    surplus = false;
    // `close` removes by itself. What cannot be removed now stands in the way of the next file, and is said then.
    if (!closed) inTurn(removeOldest).catch(options.onWriteFailed);
  }

  function onLost(from: AppendingFile, path: string, { error, turns, bytes, empty }: Lost): void {
    if (file === from) file = undefined;
    if (error instanceof FileGone) {
      // It says nothing about the next one, which is begun at once.
      options.onWriteFailed();
      say('error', `${error.message}. The journal has lost ${counted(turns, 'event')}, and goes on in a new file`);
      onDropped({ reason: 'writeFailed', turns, bytes });
      return;
    }
    fail(error);
    trouble.lost(turns);
    onDropped({ reason: 'writeFailed', turns, bytes });
    if (empty) disk.remove(path).catch((unremoved: unknown) => errorCode(unremoved) === 'ENOENT' || fail(unremoved));
  }

  function fail(error: unknown): void {
    options.onWriteFailed();
    trouble.failed(error);
  }

  /** A file that was deleted, or unmounted, takes every write. */
  function lookForFile(): void {
    if (now() - lookedAt < limits.lookPause) return;
    lookedAt = now();
    void file?.look();
  }

  return {
    knows: (subject) => known.has(subject),
    forget: (subject) => void known.delete(subject),
    prepare(bytes) {
      if (closed) return;
      const full = file !== undefined && fileBytes + bytes > limits.fileBytes;
      if (full || (file === undefined && trouble.mayTry)) begin();
      else lookForFile();
    },
    append(subject, line) {
      const bytes = Buffer.byteLength(line);
      const backlog = earlier.reduce((sum, one) => sum + one.backlog, file?.backlog ?? 0);
      if (file === undefined || backlog + bytes > limits.backlogBytes) {
        known.delete(subject);
        if (file === undefined) trouble.lost(1);
        else trouble.lags();
        onDropped({ reason: file === undefined ? 'writeFailed' : 'backlogBytes', turns: 1, bytes });
        return;
      }
      if (backlog === 0) trouble.keepsUp();
      file.append(line);
      fileBytes += bytes;
      known.add(subject);
    },
    close() {
      closed = true;
      for (const one of [...earlier, file]) one?.finishNow();
      file = undefined;
      // The last file has not proved that it can be written.
      if (surplus || trouble.isFailing) return;
      try {
        removeOldestNow();
      } catch (error) {
        fail(error);
      }
    },
  };
}
