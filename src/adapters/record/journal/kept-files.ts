import { join } from 'node:path';
import type { Instant } from '../../../domain/time.ts';
import { errorCode } from '../../words/errno-words.ts';
import type { Dropped, JournalLimits } from './journal-limits.ts';
import { close, fstat, open, write } from 'node:fs';
import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { instantText } from '../../words/plain-words.ts';

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

export type Disk = Readonly<typeof disk>;

// A FileHandle of node:fs/promises would be closed by the garbage collector.
const [openFile, statFile] = [promisify(open), promisify(fstat)];

const forUs = 0o600;

/**
 * What the journal asks of the file system. Nothing here holds up the event loop, not even at the end of the process: a disk may
 * belong to a server that is away. A write may take fewer bytes than it was given, as the kernel's may.
 */
export const disk = {
  /** Makes a directory where it is missing; its parent must be there. */
  make: (dir: string): Promise<void> => mkdir(dir).catch(unlessThere),
  /** Makes a new file and gives its descriptor. Only the process's own user can read it. */
  open: (path: string): Promise<number> => openFile(path, 'wx', forUs),
  write: (
    descriptor: number,
    bytes: Buffer,
    position: number,
    taken: (error: Error | null, written: number) => void,
  ): void => write(descriptor, bytes, 0, bytes.length, position, taken),
  // The write before has told of the failure already, or the file is not kept.
  close: (descriptor: number): void => close(descriptor, () => undefined),
  /** Whether the descriptor's file is the one that stands at the path. */
  async isAt(descriptor: number, path: string): Promise<boolean> {
    const one = await statFile(descriptor);
    const other = await stat(path).catch(() => undefined);
    return one.ino === other?.ino && one.dev === other.dev;
  },
  /** The names in a directory. */
  list: (dir: string): Promise<readonly string[]> => readdir(dir),
  /** The bytes that a file holds. */
  size: async (path: string): Promise<number> => (await stat(path)).size,
  /** Gives the bytes that the file held. */
  async remove(path: string): Promise<number> {
    const { size } = await stat(path);
    await unlink(path);
    return size;
  },
};

function unlessThere(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}

/** What a file's name tells. `number` gives the order in which a role's files were begun; `at` is what the clock said then, right or wrong. */
export type JournalFileName = Readonly<{ role: string; number: number; at: Instant }>;

const form = /^dwd-(?<role>.+)-(?<number>\d{8,11})-(?<stamp>\d{8}T\d{9}Z)\.jsonl$/;
const stampParts = /^(....)(..)(..)T(..)(..)(..)(...)Z$/;

export function journalFileName({ role, number, at }: JournalFileName): string {
  return `dwd-${role}-${String(number).padStart(8, '0')}-${instantText(at).replace(/[-:.]/g, '')}.jsonl`;
}

/** Undefined for a name that no journal gives. */
export function readJournalFileName(name: string): JournalFileName | undefined {
  const { role, number, stamp } = form.exec(name)?.groups ?? {};
  if (role === undefined || stamp === undefined) return undefined;
  const at = Date.parse(stamp.replace(stampParts, '$1-$2-$3T$4:$5:$6.$7Z'));
  return Number.isNaN(at) ? undefined : { role, number: Number(number), at };
}
