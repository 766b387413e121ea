import {
  close,
  closeSync,
  fstat,
  mkdirSync,
  open,
  openSync,
  readdirSync,
  statSync,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode } from '../words/errno-words.ts';

/**
 * What the journal asks of the file system. The usual way never waits: a disk may belong to a server that is away. What ends in
 * `Now` is for the end of the process. A write may take fewer bytes than it was given, as the kernel's may.
 */
export type Disk = Readonly<{
  /** Makes a directory where it is missing; its parent must be there. */
  make(dir: string): Promise<void>;
  makeNow(dir: string): void;
  /** Makes a new file and gives its descriptor. Only the process's own user can read it. */
  open(path: string): Promise<number>;
  /** A file of that name which holds nothing is taken, since `open` may have made it meanwhile. */
  openNow(path: string): number;
  write(
    descriptor: number,
    bytes: Buffer,
    position: number,
    taken: (error: Error | null, written: number) => void,
  ): void;
  writeNow(descriptor: number, bytes: Buffer, position: number): number;
  close(descriptor: number): void;
  closeNow(descriptor: number): void;
  /** Whether the descriptor's file is the one that stands at the path. */
  isAt(descriptor: number, path: string): Promise<boolean>;
  /** The names in a directory. */
  list(dir: string): Promise<readonly string[]>;
  listNow(dir: string): readonly string[];
  /** Gives the bytes that the file held. */
  remove(path: string): Promise<number>;
  removeNow(path: string): number;
}>;

// A FileHandle of node:fs/promises would be closed by the garbage collector.
const [openFile, statFile] = [promisify(open), promisify(fstat)];

const forUs = 0o600;

export const disk: Disk = {
  make: (dir) => mkdir(dir).catch(unlessThere),
  makeNow(dir) {
    try {
      mkdirSync(dir);
    } catch (error) {
      unlessThere(error);
    }
  },
  open: (path) => openFile(path, 'wx', forUs),
  openNow(path) {
    try {
      return openSync(path, 'wx', forUs);
    } catch (error) {
      unlessThere(error);
      if (statSync(path).size > 0) throw error;
      return openSync(path, 'r+');
    }
  },
  write: (descriptor, bytes, position, taken) => write(descriptor, bytes, 0, bytes.length, position, taken),
  writeNow: (descriptor, bytes, position) => writeSync(descriptor, bytes, 0, bytes.length, position),
  // The write before has told of the failure already, or the file is not kept.
  close: (descriptor) => close(descriptor, () => undefined),
  closeNow: closeSync,
  async isAt(descriptor, path) {
    const [one, other] = await Promise.all([statFile(descriptor), stat(path).catch(() => undefined)]);
    return one.ino === other?.ino && one.dev === other.dev;
  },
  list: readdir,
  listNow: readdirSync,
  async remove(path) {
    const { size } = await stat(path);
    await unlink(path);
    return size;
  },
  removeNow(path) {
    const { size } = statSync(path);
    unlinkSync(path);
    return size;
  },
};

function unlessThere(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}
