import { close, fstat, open, write } from 'node:fs';
import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode } from '../../words/errno-words.ts';

/**
 * What the journal asks of the file system. Nothing here holds up the event loop, not even at the end of the process: a disk may
 * belong to a server that is away. A write may take fewer bytes than it was given, as the kernel's may.
 */
export type Disk = Readonly<{
  /** Makes a directory where it is missing; its parent must be there. */
  make(dir: string): Promise<void>;
  /** Makes a new file and gives its descriptor. Only the process's own user can read it. */
  open(path: string): Promise<number>;
  write(
    descriptor: number,
    bytes: Buffer,
    position: number,
    taken: (error: Error | null, written: number) => void,
  ): void;
  close(descriptor: number): void;
  /** Whether the descriptor's file is the one that stands at the path. */
  isAt(descriptor: number, path: string): Promise<boolean>;
  /** The names in a directory. */
  list(dir: string): Promise<readonly string[]>;
  /** The bytes that a file holds. */
  size(path: string): Promise<number>;
  /** Gives the bytes that the file held. */
  remove(path: string): Promise<number>;
}>;

// A FileHandle of node:fs/promises would be closed by the garbage collector.
const [openFile, statFile] = [promisify(open), promisify(fstat)];

const forUs = 0o600;

export const disk: Disk = {
  make: (dir) => mkdir(dir).catch(unlessThere),
  open: (path) => openFile(path, 'wx', forUs),
  write: (descriptor, bytes, position, taken) => write(descriptor, bytes, 0, bytes.length, position, taken),
  // The write before has told of the failure already, or the file is not kept.
  close: (descriptor) => close(descriptor, () => undefined),
  async isAt(descriptor, path) {
    const one = await statFile(descriptor);
    const other = await stat(path).catch(() => undefined);
    return one.ino === other?.ino && one.dev === other.dev;
  },
  list: readdir,
  size: async (path) => (await stat(path)).size,
  async remove(path) {
    const { size } = await stat(path);
    await unlink(path);
    return size;
  },
};

function unlessThere(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}
