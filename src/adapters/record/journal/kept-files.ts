import { join } from 'node:path';
import type { Instant } from '../../../domain/time.ts';
import { errorCode } from '../../words/errno-words.ts';
import type { Disk } from './disk.ts';
import { journalFileName, readJournalFileName } from './journal-file-name.ts';
import type { Dropped, JournalLimits } from './journal-limits.ts';

type KeptFilesOptions = Readonly<{
  dir: string;
  role: string;
  limits: Pick<JournalLimits, 'directoryBytes' | 'files'>;
  disk: Pick<Disk, 'open' | 'list' | 'size' | 'remove'>;
  /** Paths of files that are still written to. They are never removed, whatever the names in the directory say. */
  inUse: () => readonly (string | undefined)[];
  onDropped: (dropped: Dropped) => void;
}>;

type KeptFile = Readonly<{ path: string; number: number }>;

/** How often a name that was taken meanwhile, by another program, is replaced by the next one. */
const mostTries = 10;

/** The files of one role in a directory, by the order in which they were begun (SPEC 9.6). Other programs may write there too. */
export function keptFiles({ dir, role, limits, disk, inUse, onDropped }: KeptFilesOptions) {
  /** Oldest first. Two replicas may have given the same number. */
  async function list(): Promise<readonly KeptFile[]> {
    const files: KeptFile[] = [];
    for (const name of (await disk.list(dir)).toSorted()) {
      const read = readJournalFileName(name);
      if (read?.role === role) files.push({ path: join(dir, name), number: read.number });
    }
    return files.toSorted((one, other) => one.number - other.number);
  }

  return {
    /** Makes a file that follows all others in order. */
    async open(at: Instant): Promise<Readonly<{ descriptor: number; path: string }>> {
      const greatest = (await list()).at(-1)?.number ?? 0;
      for (let next = 1; ; next++) {
        const path = join(dir, journalFileName({ role, number: greatest + next, at }));
        try {
          return { descriptor: await disk.open(path), path };
        } catch (error) {
          if (errorCode(error) !== 'EEXIST' || next === mostTries) throw error;
        }
      }
    },

    /** Removes the oldest files, until so many bytes more would still be within the limits. */
    async makeRoom(moreBytes: number): Promise<void> {
      const used = new Set(inUse());
      let [bytes, count] = [moreBytes, 0];
      const surplus: { path: string; reason: 'files' | 'directoryBytes' }[] = [];
      // One after the other: a disk that hangs holds one thread of the pool, and not all.
      for (const { path } of (await list()).toReversed()) {
        const size = await unlessGone(disk.size(path));
        if (size === undefined) continue;
        bytes += size;
        count += 1;
        if (used.has(path)) continue;
        if (bytes > limits.directoryBytes) surplus.push({ path, reason: 'directoryBytes' });
        else if (count > limits.files) surplus.push({ path, reason: 'files' });
      }
      for (const { path, reason } of surplus.toReversed()) {
        const removed = await unlessGone(disk.remove(path));
        if (removed !== undefined) onDropped({ reason, turns: 0, bytes: removed });
      }
    },
  };
}

/** Another program of this role may have removed it just now. */
async function unlessGone(work: Promise<number>): Promise<number | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
