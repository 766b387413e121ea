import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '../../domain/time.ts';
import { errorWords, instantText } from '../words/plain-words.ts';
import { AppendingFile, type Lost } from './appending-file.ts';
import type { Disk } from './disk.ts';
import type { Dropped, JournalLimits } from './journal-limits.ts';
import type { JournalSink } from './journal-line.ts';

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
  let file: AppendingFile | undefined;
  let fileBytes = 0;
  let number = 0;
  let known = new Set<string>();
  let earlier: AppendingFile[] = [];
  /** A new file has not proved yet that it can be written, so there may be one file too many. */
  let surplus = false;
  let failedAt: Instant | undefined;
  let closed = false;

  function begin(): void {
    earlier = earlier.filter((one) => one.backlog > 0);
    if (file !== undefined) {
      file.finish();
      earlier.push(file);
      file = undefined;
    }
    attempt(() => {
      mkdirSync(dir, { recursive: true });
      // There may now be one file too many: the oldest is removed once the new one has proved that it can be written.
      removeOldest();
      number += 1;
      const stamp = instantText(now()).replace(/[-:.]/g, '');
      const path = join(dir, `dwd-${options.role}-${stamp}-${String(number).padStart(4, '0')}.jsonl`);
      const head = options.header();
      surplus = true;
      const opened = new AppendingFile({ disk, path, head, onKept, onLost: (lost) => onLost(opened, path, lost) });
      file = opened;
      fileBytes = Buffer.byteLength(head);
      known = new Set();
    });
  }

  function removeOldest(): void {
    const files = readdirSync(dir)
      .filter((name) => named.test(name))
      .toSorted();
    for (const name of files.slice(0, Math.max(0, files.length - limits.files))) {
      const path = join(dir, name);
      const bytes = statSync(path).size;
      disk.remove(path);
      onDropped({ reason: 'files', turns: 0, bytes });
    }
  }

  function onKept(): void {
    if (failedAt !== undefined) say('info', `the journal is written to ${dir} again`);
    failedAt = undefined;
    if (!surplus) return;
    surplus = false;
    attempt(removeOldest);
  }

  function onLost(from: AppendingFile, path: string, { error, turns, bytes, empty }: Lost): void {
    onDropped({ reason: 'writeFailed', turns, bytes });
    if (file === from) file = undefined;
    fail(error);
    if (empty) attempt(() => disk.remove(path));
  }

  function attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    options.onWriteFailed();
    if (failedAt === undefined)
      say('error', `the journal cannot be written to ${dir}; it goes on in memory only: ${errorWords(error)}`);
    failedAt = now();
  }

  function retryIsDue(): boolean {
    return failedAt === undefined || now() - failedAt >= limits.retryPause;
  }

  return {
    knows: (subject) => known.has(subject),
    forget: (subject) => void known.delete(subject),
    prepare(bytes) {
      if (closed) return;
      const full = file !== undefined && fileBytes + bytes > limits.fileBytes;
      if (full || (file === undefined && retryIsDue())) begin();
    },
    append(subject, line) {
      const bytes = Buffer.byteLength(line);
      const backlog = earlier.reduce((sum, one) => sum + one.backlog, file?.backlog ?? 0);
      if (file === undefined || backlog + bytes > limits.backlogBytes) {
        known.delete(subject);
        onDropped({ reason: file === undefined ? 'writeFailed' : 'backlogBytes', turns: 1, bytes });
        return;
      }
      file.append(line);
      fileBytes += bytes;
      known.add(subject);
    },
    close() {
      closed = true;
      for (const one of [...earlier, file]) one?.finishNow();
      file = undefined;
    },
  };
}
