import type { Disk } from './disk.ts';

/** The turns that could not be written, or that were deleted, and the error. `empty`: the file was made, and no turn was ever in it. */
export type Lost = Readonly<{ error: unknown; turns: number; bytes: number; empty: boolean }>;

/** Somebody deleted the file while it was written to, or its file system was unmounted. No write tells that. */
export class FileGone extends Error {
  override readonly name = 'FileGone';
}

export type AppendingFileOptions = Readonly<{
  disk: Pick<Disk, 'write' | 'writeNow' | 'close' | 'closeNow' | 'isAt'>;
  path: string;
  /** Makes the file. Lines that come meanwhile wait. */
  open: () => Promise<number>;
  /** The same while everybody waits, where `open` is not done. */
  openNow: () => number;
  /** The first line, which is not a turn. */
  head: string;
  /** Whole turns were written. A full disk may still let a file be opened, and take its head. */
  onKept: () => void;
  /** The file is given up, and closed. */
  onLost: (lost: Lost) => void;
}>;

/**
 * A new file that grows at its end. Lines go to the kernel as soon as the write before them is done, so a killed process
 * loses almost nothing, and nobody waits for a slow disk. Each write names its place: so `finishNow` can write what is in
 * flight a second time, over itself, and leaves a whole file behind when the process ends.
 */
export class AppendingFile {
  readonly #options: AppendingFileOptions;
  /** Undefined until it is open. */
  #descriptor: number | undefined;
  #position = 0;
  /** Turns whose lines reached the kernel. */
  #written = 0;
  #looking = false;
  #flying: Buffer | undefined;
  #flyingTurns = 0;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #finished = false;
  #closed = false;

  constructor(options: AppendingFileOptions) {
    this.#options = options;
    this.#flying = Buffer.from(options.head);
    void this.#open();
  }

  /** Bytes that have not reached the kernel. */
  get backlog(): number {
    return this.#waitingBytes + (this.#flying?.length ?? 0);
  }

  append(line: string): void {
    this.#waiting.push(line);
    this.#waitingBytes += Buffer.byteLength(line);
    this.#writeOn();
  }

  /** Closes the file once everything is written. */
  finish(): void {
    this.#finished = true;
    this.#writeOn();
  }

  /** Writes what is left and closes the file before it returns. */
  finishNow(): void {
    if (this.#closed) return;
    this.#closed = true;
    const { disk, openNow } = this.#options;
    const rest = Buffer.concat([this.#flying ?? Buffer.alloc(0), Buffer.from(this.#waiting.join(''))]);
    try {
      this.#descriptor ??= openNow();
      for (let done = 0; done < rest.length;)
        done += disk.writeNow(this.#descriptor, rest.subarray(done), this.#position + done);
      this.#flown(this.#flyingTurns + this.#waiting.length);
    } catch (error) {
      this.#lose(error);
    }
    if (this.#descriptor !== undefined) disk.closeNow(this.#descriptor);
  }

  /** Gives the file up where it no longer stands at its path: every write to it would succeed, and nobody would ever read it. */
  async look(): Promise<void> {
    if (this.#closed || this.#looking || this.#descriptor === undefined) return;
    this.#looking = true;
    try {
      const { disk, path } = this.#options;
      if ((await disk.isAt(this.#descriptor, path)) || this.#isClosed()) return;
      this.#close();
      this.#lose(
        new FileGone(`the journal's file ${path} is gone: somebody deleted it, or unmounted its file system`),
        this.#written,
      );
    } catch (error) {
      if (this.#isClosed()) return;
      this.#close();
      this.#lose(error);
    } finally {
      this.#looking = false;
    }
  }

  async #open(): Promise<void> {
    const { open, disk } = this.#options;
    try {
      const descriptor = await open();
      // `finishNow` did not wait, and has written everything by itself.
      if (this.#isClosed()) {
        disk.close(descriptor);
        return;
      }
      this.#descriptor = descriptor;
      this.#writeFlying();
    } catch (error) {
      if (this.#isClosed()) return;
      this.#closed = true;
      this.#lose(error);
    }
  }

  /** It may have been closed during an `await`, which the compiler does not see. */
  #isClosed(): boolean {
    return this.#closed;
  }

  #writeOn(): void {
    if (this.#closed || this.#flying !== undefined) return;
    if (this.#waiting.length === 0) {
      if (this.#finished) this.#close();
      return;
    }
    this.#flying = Buffer.from(this.#waiting.join(''));
    this.#flyingTurns = this.#waiting.length;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#writeFlying();
  }

  #writeFlying(): void {
    const [flying, descriptor] = [this.#flying, this.#descriptor];
    if (flying === undefined || descriptor === undefined) return;
    this.#options.disk.write(descriptor, flying, this.#position, (error, written) => {
      if (this.#closed) return;
      if (error !== null) {
        this.#close();
        this.#lose(error);
        return;
      }
      this.#position += written;
      if (written < flying.length) {
        this.#flying = flying.subarray(written);
        this.#writeFlying();
        return;
      }
      const turns = this.#flyingTurns;
      this.#flying = undefined;
      this.#flyingTurns = 0;
      this.#flown(turns);
      this.#writeOn();
    });
  }

  #flown(turns: number): void {
    if (turns === 0) return;
    this.#written += turns;
    this.#options.onKept();
  }

  #close(): void {
    this.#closed = true;
    if (this.#descriptor !== undefined) this.#options.disk.close(this.#descriptor);
  }

  /** `deleted`: turns that were written, and are no more. */
  #lose(error: unknown, deleted = 0): void {
    const turns = deleted + this.#flyingTurns + this.#waiting.length;
    const empty = this.#descriptor !== undefined && this.#written === 0;
    const lost = { error, turns, bytes: this.backlog + (deleted === 0 ? 0 : this.#position), empty };
    this.#flying = undefined;
    this.#flyingTurns = 0;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#options.onLost(lost);
  }
}
