import { firstValueFrom, race, type Observable } from 'rxjs';
import type { Instant } from '../../../domain/time.ts';
import { errorCode, fileErrorWords } from '../../words/errno-words.ts';
import { counted, lengthWords, seconds } from '../../words/plain-words.ts';
import { AppendingFile, FileGone, NotAnswered, type Lost } from './appending-file.ts';
import { type Disk, keptFiles } from './kept-files.ts';
import type { Dropped, JournalLimits } from './journal-limits.ts';
import type { JournalSink } from './journal-line.ts';

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

/** The journal in a directory: files that follow each other, of bounded size and number (SPEC 9.6). */
export function journalFiles(options: JournalFilesOptions) {
  const { dir, disk, limits, now, onDropped, say } = options;
  /** The directory cannot be written; and the disk is too slow. Each is said when it begins and when it ends, with what it cost. */
  const [failing, lagging] = [lasting(now), lasting(now)];
  let retryAt = -Infinity;
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
    const cost = failing.end();
    if (cost !== undefined) say('info', `the journal is written to ${dir} again, ${cost}`);
    retryAt = -Infinity;
    if (!isFirst) return;
    // What cannot be removed now stands in the way of the next file, and is said then.
    inTurn(() => kept.makeRoom(limits.fileBytes)).catch(options.onWriteFailed);
  }

  function onLost(from: AppendingFile, { error, turns, bytes, empty }: Lost): void {
    if (file === from) file = undefined;
    onDropped({ reason: 'writeFailed', turns, bytes });
    const events = counted(turns, 'event');
    if (error instanceof FileGone) {
      // It says nothing about the next one, which is begun at once.
      options.onWriteFailed();
      say('error', `${error.message}. The journal has lost ${events}, and goes on in a new file`);
    } else if (error instanceof NotAnswered)
      say('error', `the disk of the journal does not answer: at the end ${events} may be missing in ${dir}`);
    else {
      fail(error);
      failing.lose(turns);
      if (empty !== undefined)
        disk.remove(empty).catch((unremoved: unknown) => errorCode(unremoved) === 'ENOENT' || fail(unremoved));
    }
  }

  function fail(error: unknown): void {
    options.onWriteFailed();
    retryAt = now() + limits.retryPause;
    if (!failing.begin()) return;
    const again = `It is kept in memory only, and the directory is tried again every ${lengthWords(limits.retryPause)}.`;
    say('error', `the journal cannot be written to ${dir}: ${fileErrorWords(error)}. ${again}`);
  }

  function leaveOut(subject: string, reason: 'writeFailed' | 'backlogBytes', bytes: number): void {
    known.delete(subject);
    if (reason === 'backlogBytes' && lagging.begin())
      say('error', `the disk of the journal does not keep up: events are left out of ${dir} until it does`);
    (reason === 'backlogBytes' ? lagging : failing).lose(1);
    onDropped({ reason, turns: 1, bytes });
  }

  /** A file that was deleted, or unmounted, takes every write. */
  function lookForFile(): void {
    if (now() - lookedAt < limits.lookPause) return;
    lookedAt = now();
    void file?.look();
  }

  const sink: JournalSink = {
    knows: (subject) => known.has(subject),
    forget: (subject) => void known.delete(subject),
    prepare(bytes) {
      if (closed) return;
      const full = file !== undefined && fileBytes + bytes > limits.fileBytes;
      if (full || (file === undefined && now() >= retryAt)) begin();
      else lookForFile();
    },
    append(subject, line, bytes) {
      const backlog = earlier.reduce((sum, one) => sum + one.backlog, file?.backlog ?? 0);
      if (file === undefined) return leaveOut(subject, 'writeFailed', bytes);
      if (backlog + bytes > limits.backlogBytes) return leaveOut(subject, 'backlogBytes', bytes);
      const cost = backlog === 0 ? lagging.end() : undefined;
      if (cost !== undefined) say('info', `the disk of the journal keeps up again, ${cost}`);
      file.append(line, bytes);
      fileBytes += bytes;
      known.add(subject);
    },
  };

  return {
    ...sink,
    /**
     * Resolves once everything is written, or when `givenUp$` emits: then what has not reached the disk is counted and said. Nothing is
     * taken any more.
     */
    async close(givenUp$: Observable<unknown>): Promise<void> {
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

/** Since when something lasts, and how many turns it has cost by now. */
function lasting(now: () => Instant) {
  let one: Readonly<{ since: Instant; turns: number }> | undefined;
  return {
    /** Whether it has only begun. */
    begin(): boolean {
      if (one !== undefined) return false;
      one = { since: now(), turns: 0 };
      return true;
    },
    lose(turns: number): void {
      if (one !== undefined) one = { ...one, turns: one.turns + turns };
    },
    /** What it has cost; undefined where it did not last. */
    end(): string | undefined {
      if (one === undefined) return undefined;
      const { since, turns } = one;
      one = undefined;
      const after = `after ${seconds(now() - since)}`;
      return turns === 0
        ? after
        : `${after}; ${counted(turns, 'event')} of that time ${turns === 1 ? 'is' : 'are'} missing there`;
    },
  };
}
