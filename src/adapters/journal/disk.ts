import { close, closeSync, openSync, unlinkSync, write, writeSync } from 'node:fs';

/** What the journal asks of the file system. A write may take fewer bytes than it was given, as the kernel's may. */
export type Disk = Readonly<{
  /** Makes a new file and opens it for writing. Only the process's own user can read it. Gives its descriptor. */
  open(path: string): number;
  write(
    descriptor: number,
    bytes: Buffer,
    position: number,
    taken: (error: Error | null, written: number) => void,
  ): void;
  writeNow(descriptor: number, bytes: Buffer, position: number): number;
  close(descriptor: number): void;
  closeNow(descriptor: number): void;
  remove(path: string): void;
}>;

export const disk: Disk = {
  open: (path) => openSync(path, 'wx', 0o600),
  write: (descriptor, bytes, position, taken) => write(descriptor, bytes, 0, bytes.length, position, taken),
  writeNow: (descriptor, bytes, position) => writeSync(descriptor, bytes, 0, bytes.length, position),
  // The write before has told of the failure already, or the file is not kept.
  close: (descriptor) => close(descriptor, () => undefined),
  closeNow: closeSync,
  remove: unlinkSync,
};
