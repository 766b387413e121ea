import { firstValueFrom, race, type Observable } from 'rxjs';
import type { Instant } from '../../../domain/time.ts';
import { errorCode } from '../../words/errno-words.ts';
import { counted } from '../../words/plain-words.ts';
import { AppendingFile, FileGone, NotAnswered, type Lost } from './appending-file.ts';
import type { Disk } from './disk.ts';
import type { Dropped, JournalLimits } from './journal-limits.ts';
import type { JournalSink } from './journal-line.ts';
import { JournalTrouble } from './journal-trouble.ts';
import { keptFiles } from './kept-files.ts';

/** The journal in a directory: files that follow each other, of bounded size and number (SPEC 9.6). */
export type JournalFiles = JournalSink &
  Readonly<{
    /**
     * Resolves once everything is written, or when `givenUp$` emits: then what has not reached the disk is counted and said. Nothing is
     * taken any more.
     */
    close(givenUp$: Observable<unknown>): Promise<void>;
  }>;

export type JournalFilesOptions = Readonly<{
  dir: string;
  /** Begins each file's name, and keeps two programs in one directory apart: `prober`. */
  role: string;
  limits: JournalLimits;
  now: () => Instant;
  header: () => string;
  /** Ends the last file; undefined where nothing is to be said. */
  lastLine: () => string | undefined;
  onDropped: (dropped: Dropped) => void;
  onWriteFailed: () => void;
  /** One sentence, at the first failure and at the end of the trouble. */
  say: (level: 'info' | 'error', message: string) => void;
  disk: Disk;
}>;

export function journalFiles(options: JournalFilesOptions): JournalFiles {
  const { dir, disk, limits, now, onDropped, say } = options;
  const trouble = new JournalTrouble({ dir, now, say, retryPause: limits.retryPause });
  const kept = keptFiles({ ...options, inUse: () => [...earlier, file].map((one) => one?.path) });
  let file: AppendingFile | undefined;
  let fileBytes = 0;
  let known = new Set<string>();
  let earlier: AppendingFile[] = [];
  let lookedAt = -Infinity;
  let closed = false;
  /** Listing, removing and opening, one after the other: two at a time would remove the same file, or not see each other's. */
  let before: Promise<void> = Promise.resolve();

  function begin(): void {
    earlier = earlier.filter((one) => one.backlog > 0 || one.path !== undefined);
    if (file !== undefined) {
      file.finish();
      earlier.push(file);
    }
    const head = options.header();
    const open = () =>
      inTurn(async () => {
        await disk.make(dir);
        // There may now be one file too many: the oldest is removed once the new one has proved that it can be written.
        await kept.makeRoom(0);
        return await kept.open(now());
      });
    const opened: AppendingFile = new AppendingFile({
      disk,
      open,
      head,
      onKept,
      onLost: (lost) => onLost(opened, lost),
    });
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

  function onKept(isFirst: boolean): void {
    trouble.written();
    if (!isFirst) return;
    // What cannot be removed now stands in the way of the next file, and is said then.
    inTurn(() => kept.makeRoom(limits.fileBytes)).catch(options.onWriteFailed);
  }

  function onLost(from: AppendingFile, { error, turns, bytes, empty }: Lost): void {
    if (file === from) file = undefined;
    onDropped({ reason: 'writeFailed', turns, bytes });
    if (error instanceof FileGone) {
      // It says nothing about the next one, which is begun at once.
      options.onWriteFailed();
      say('error', `${error.message}. The journal has lost ${counted(turns, 'event')}, and goes on in a new file`);
      return;
    }
    if (error instanceof NotAnswered) {
      trouble.unanswered(turns);
      return;
    }
    fail(error);
    trouble.lost(turns);
    if (empty !== undefined)
      disk.remove(empty).catch((unremoved: unknown) => errorCode(unremoved) === 'ENOENT' || fail(unremoved));
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
    append(subject, line, bytes) {
      const backlog = earlier.reduce((sum, one) => sum + one.backlog, file?.backlog ?? 0);
      if (file === undefined || backlog + bytes > limits.backlogBytes) {
        known.delete(subject);
        if (file === undefined) trouble.lost(1);
        else trouble.lags();
        onDropped({ reason: file === undefined ? 'writeFailed' : 'backlogBytes', turns: 1, bytes });
        return;
      }
      if (backlog === 0) trouble.keepsUp();
      file.append(line, bytes);
      fileBytes += bytes;
      known.add(subject);
    },
    async close(givenUp$) {
      closed = true;
      const last = file;
      file = undefined;
      for (const one of earlier) one.finish();
      last?.finish(options.lastLine());
      if (last !== undefined) earlier.push(last);
      const written = Promise.all(earlier.map((one) => one.ended)).then(() => before);
      await firstValueFrom(race(written, givenUp$));
      for (const one of earlier) one.giveUp();
    },
  };
}
