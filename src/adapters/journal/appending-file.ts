import type { Disk } from './disk.ts';

/** The turns that could not be written, and the error. `empty`: no turn of this file was ever written. */
export type Lost = Readonly<{ error: unknown; turns: number; bytes: number; empty: boolean }>;

export type AppendingFileOptions = Readonly<{
  disk: Disk;
  path: string;
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
  readonly #descriptor: number;
  #position = 0;
  #flying: Buffer | undefined;
  #flyingTurns = 0;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #kept = false;
  #finished = false;
  #closed = false;

  /** Throws where the file exists or cannot be made. */
  constructor(options: AppendingFileOptions) {
    this.#options = options;
    this.#descriptor = options.disk.open(options.path);
    this.#flying = Buffer.from(options.head);
    this.#writeFlying();
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
    const { disk } = this.#options;
    const rest = Buffer.concat([this.#flying ?? Buffer.alloc(0), Buffer.from(this.#waiting.join(''))]);
    try {
      for (let done = 0; done < rest.length;)
        done += disk.writeNow(this.#descriptor, rest.subarray(done), this.#position + done);
      this.#flown(this.#flyingTurns + this.#waiting.length);
    } catch (error) {
      this.#lose(error);
    }
    disk.closeNow(this.#descriptor);
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
    const flying = this.#flying;
    if (flying === undefined) return;
    this.#options.disk.write(this.#descriptor, flying, this.#position, (error, written) => {
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
      this.#flying = undefined;
      this.#flown(this.#flyingTurns);
      this.#writeOn();
    });
  }

  #flown(turns: number): void {
    if (turns === 0) return;
    this.#kept = true;
    this.#options.onKept();
  }

  #close(): void {
    this.#closed = true;
    this.#options.disk.close(this.#descriptor);
  }

  #lose(error: unknown): void {
    const turns = this.#flyingTurns + this.#waiting.length;
    const lost = { error, turns, bytes: this.backlog, empty: !this.#kept };
    this.#flying = undefined;
    this.#flyingTurns = 0;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#options.onLost(lost);
  }
}
