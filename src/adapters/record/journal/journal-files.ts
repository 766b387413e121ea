import { firstValueFrom, race, type Observable } from 'rxjs';
import type { Instant, Millis } from '../../../domain/time.ts';
import { errorCode, fileErrorWords } from '../../words/errno-words.ts';
import { counted, lengthWords, seconds } from '../../words/plain-words.ts';
import { AppendingFile, FileGone, NotAnswered, type Lost } from './appending-file.ts';
import { type Disk, keptFiles } from './kept-files.ts';
import type { Dropped, JournalLimits } from './journal-limits.ts';
import type { JournalSink } from './journal-line.ts';

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

/** Since when something lasts, and how many turns it has cost by now. */
type Lasting = Readonly<{ since: Instant; turns: number }>;

export type JournalTroubleOptions = Readonly<{
  dir: string;
  now: () => Instant;
  /** How long to leave the directory alone after a failure. */
  retryPause: Millis;
  say: (level: 'info' | 'error', message: string) => void;
}>;

/** What stands between the journal and its directory; each trouble is said when it begins and when it ends, with what it cost. */
export class JournalTrouble {
  readonly #options: JournalTroubleOptions;
  #failing: (Lasting & Readonly<{ retryAt: Instant }>) | undefined;
  #lagging: Lasting | undefined;

  constructor(options: JournalTroubleOptions) {
    this.#options = options;
  }

  /** Nothing has failed, or long enough ago. */
  get mayTry(): boolean {
    return this.#failing === undefined || this.#options.now() >= this.#failing.retryAt;
  }

  /** The directory cannot be written. */
  failed(error: unknown): void {
    const { dir, now, retryPause, say } = this.#options;
    if (this.#failing === undefined) {
      const again = `It is kept in memory only, and the directory is tried again every ${lengthWords(retryPause)}.`;
      say('error', `the journal cannot be written to ${dir}: ${fileErrorWords(error)}. ${again}`);
    }
    this.#failing = { since: now(), turns: 0, ...this.#failing, retryAt: now() + retryPause };
  }

  /** So many turns were left out because of that. */
  lost(turns: number): void {
    if (this.#failing !== undefined) this.#failing = { ...this.#failing, turns: this.#failing.turns + turns };
  }

  /** Turns were written. */
  written(): void {
    const { dir, say } = this.#options;
    if (this.#failing !== undefined)
      say('info', `the journal is written to ${dir} again, ${this.#cost(this.#failing)}`);
    this.#failing = undefined;
  }

  /** The disk is too slow, or does not answer, and a turn was left out. */
  lags(): void {
    const { dir, now, say } = this.#options;
    if (this.#lagging === undefined)
      say('error', `the disk of the journal does not keep up: events are left out of ${dir} until it does`);
    this.#lagging = { since: this.#lagging?.since ?? now(), turns: (this.#lagging?.turns ?? 0) + 1 };
  }

  /** The process ends, and these turns have not reached the disk. */
  unanswered(turns: number): void {
    const { dir, say } = this.#options;
    say(
      'error',
      `the disk of the journal does not answer: at the end ${counted(turns, 'event')} may be missing in ${dir}`,
    );
  }

  /** Nothing waits for the disk. */
  keepsUp(): void {
    if (this.#lagging === undefined) return;
    this.#options.say('info', `the disk of the journal keeps up again, ${this.#cost(this.#lagging)}`);
    this.#lagging = undefined;
  }

  #cost({ since, turns }: Lasting): string {
    const after = `after ${seconds(this.#options.now() - since)}`;
    return turns === 0
      ? after
      : `${after}; ${counted(turns, 'event')} of that time ${turns === 1 ? 'is' : 'are'} missing there`;
  }
}
