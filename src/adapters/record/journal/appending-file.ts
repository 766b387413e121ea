import type { Disk } from './kept-files.ts';

const newline = 0x0a;

/** The turns that could not be written, or that were deleted, and the error. `empty`: the file that was made, if no turn was ever in it. */
export type Lost = Readonly<{ error: unknown; turns: number; bytes: number; empty: string | undefined }>;

/** Somebody deleted the file while it was written to, or its file system was unmounted. No write tells that. */
export class FileGone extends Error {
  override readonly name = 'FileGone';
}

/** The process ends, and the disk has not answered in time. */
export class NotAnswered extends Error {
  override readonly name = 'NotAnswered';
}

/** `turns`: how many of the lines are turns. */
type Lines = Readonly<{ bytes: Buffer; turns: number }>;

type OpenFile = Readonly<{ descriptor: number; path: string }>;

export type AppendingFileOptions = Readonly<{
  disk: Pick<Disk, 'write' | 'close' | 'isAt'>;
  /** Makes the file. Lines that come meanwhile wait. */
  open: () => Promise<OpenFile>;
  /** The first line, which is not a turn. */
  head: string;
  /** Whole turns were written. A full disk may still let a file be opened, and take its head. */
  onKept: (isFirst: boolean) => void;
  /** The file is given up, and closed. */
  onLost: (lost: Lost) => void;
}>;

/**
 * A new file that grows at its end. Lines go to the kernel as soon as the write before them is done, so a killed process
 * loses almost nothing, and nobody waits for a slow disk.
 */
export class AppendingFile {
  readonly #options: AppendingFileOptions;
  /** Undefined until it is open. */
  #file: OpenFile | undefined;
  #position = 0;
  /** Turns whose lines reached the kernel. */
  #written = 0;
  #looking = false;
  /** On its way to the kernel. */
  #flying: Lines | undefined;
  #waiting: string[] = [];
  #waitingBytes = 0;
  /** What is written last of all, and is no turn. */
  #tail = '';
  #finished = false;
  #closed = false;
  readonly #over = Promise.withResolvers<void>();

  constructor(options: AppendingFileOptions) {
    this.#options = options;
    this.#flying = { bytes: Buffer.from(options.head), turns: 0 };
    void this.#open();
  }

  /** Resolves once the file is closed, or given up. */
  get ended(): Promise<void> {
    return this.#over.promise;
  }

  /** Bytes that have not reached the kernel. */
  get backlog(): number {
    return this.#waitingBytes + (this.#flying?.bytes.length ?? 0);
  }

  /** Where it is written to; undefined until it is open, and once it is closed. */
  get path(): string | undefined {
    return this.#closed ? undefined : this.#file?.path;
  }

  /** `bytes`: how long the line is. */
  append(line: string, bytes: number): void {
    this.#waiting.push(line);
    this.#waitingBytes += bytes;
    this.#writeOn();
  }

  /** Closes the file once everything is written, and the file was seen to be there still. `tail`: a last line, which is not a turn. */
  finish(tail = ''): void {
    this.#finished = true;
    this.#tail = tail;
    this.#writeOn();
  }

  /** Counts what has not reached the kernel as lost. A descriptor on which a write hangs is left to the end of the process. */
  giveUp(): void {
    if (this.#closed) return;
    this.#end();
    if (this.backlog > 0) this.#lose(new NotAnswered('the disk did not answer'));
  }

  /** Gives the file up where it no longer stands at its path: every write to it would succeed, and nobody would ever read it. */
  async look(): Promise<void> {
    if (this.#closed || this.#looking || this.#file === undefined) return;
    this.#looking = true;
    const { descriptor, path } = this.#file;
    try {
      if (!(await this.#options.disk.isAt(descriptor, path)))
        throw new FileGone(`the journal's file ${path} is gone: somebody deleted it, or unmounted its file system`);
      if (this.#finished && this.backlog === 0) this.#close();
    } catch (error) {
      this.#fail(error, error instanceof FileGone ? this.#written : 0);
    }
    this.#looking = false;
  }

  async #open(): Promise<void> {
    const { open, disk } = this.#options;
    try {
      const file = await open();
      if (this.#closed) disk.close(file.descriptor);
      else {
        this.#file = file;
        this.#writeFlying();
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #writeOn(): void {
    if (this.#closed || this.#flying !== undefined) return;
    if (this.#waiting.length === 0 && this.#tail === '') {
      if (this.#finished) void this.look();
      return;
    }
    const turns = this.#waiting.length;
    this.#flying = { bytes: Buffer.from(this.#waiting.join('') || this.#tail), turns };
    if (turns === 0) this.#tail = '';
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#writeFlying();
  }

  #writeFlying(): void {
    const [flying, file] = [this.#flying, this.#file];
    if (flying === undefined || file === undefined) return;
    const { bytes, turns } = flying;
    this.#options.disk.write(file.descriptor, bytes, this.#position, (error, written) => {
      if (this.#closed) return;
      if (error !== null) return this.#fail(error);
      this.#position += written;
      if (written < bytes.length) {
        // A disk that is about to be full takes a part. The whole lines in it stay, and count.
        const whole = turns === 0 ? 0 : linesIn(bytes.subarray(0, written));
        this.#flown(whole);
        this.#flying = { bytes: bytes.subarray(written), turns: turns - whole };
        return this.#writeFlying();
      }
      this.#flying = undefined;
      this.#flown(turns);
      this.#writeOn();
    });
  }

  #flown(turns: number): void {
    if (turns === 0) return;
    const isFirst = this.#written === 0;
    this.#written += turns;
    this.#options.onKept(isFirst);
  }

  #close(): void {
    if (this.#closed) return;
    this.#end();
    if (this.#file !== undefined) this.#options.disk.close(this.#file.descriptor);
  }

  #end(): void {
    this.#closed = true;
    this.#over.resolve();
  }

  /** Whoever gave it up meanwhile has counted what it held. */
  #fail(error: unknown, deleted = 0): void {
    if (this.#closed) return;
    this.#close();
    this.#lose(error, deleted);
  }

  /** `deleted`: turns that were written, and are no more. */
  #lose(error: unknown, deleted = 0): void {
    const turns = deleted + (this.#flying?.turns ?? 0) + this.#waiting.length;
    const empty = this.#written === 0 ? this.#file?.path : undefined;
    const lost = { error, turns, bytes: this.backlog + (deleted === 0 ? 0 : this.#position), empty };
    this.#flying = undefined;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#options.onLost(lost);
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
