import { close, closeSync, openSync, write, writeSync } from 'node:fs';

/** What could not be written, and why. */
export type Lost = Readonly<{ error: unknown; turns: number; bytes: number }>;

/** Opens a file for writing that was not there, and gives its descriptor. */
export type OpenNew = (path: string) => number;

const openNew: OpenNew = (path) => openSync(path, 'wx', 0o600);

/**
 * A new file that grows at its end. A line is on its way to the kernel as soon as no other is, so a killed process loses
 * next to nothing, and yet nobody waits for a slow disk. Each write names its place: `finishNow` can therefore write
 * what is still in flight a second time, over itself, and leave a whole file behind when the process ends.
 */
export class AppendingFile {
  readonly #descriptor: number;
  readonly #onLost: (lost: Lost) => void;
  #position = 0;
  #flying: Buffer | undefined;
  #flyingTurns = 0;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #finished = false;
  #closed = false;

  /** Throws where the file exists or cannot be made. Nobody but the process's own user can read it. `head` is no turn. */
  constructor(path: string, head: string, onLost: (lost: Lost) => void, open: OpenNew = openNew) {
    this.#descriptor = open(path);
    this.#onLost = onLost;
    this.#flying = Buffer.from(head);
    this.#writeFlying();
  }

  /** Bytes that the kernel has taken. */
  get written(): number {
    return this.#position;
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
    const rest = Buffer.concat([this.#flying ?? Buffer.alloc(0), Buffer.from(this.#waiting.join(''))]);
    try {
      for (let done = 0; done < rest.length;)
        done += writeSync(this.#descriptor, rest, done, rest.length - done, this.#position + done);
    } catch (error) {
      this.#lose(error);
    }
    closeSync(this.#descriptor);
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
    write(this.#descriptor, flying, 0, flying.length, this.#position, (error, written) => {
      if (this.#closed) return;
      if (error !== null) {
        this.#close();
        this.#lose(error);
        return;
      }
      this.#position += written;
      this.#flying = written < flying.length ? flying.subarray(written) : undefined;
      if (this.#flying === undefined) this.#writeOn();
      else this.#writeFlying();
    });
  }

  #close(): void {
    this.#closed = true;
    // A failure to close was told by the write before it, or concerns nothing that is kept.
    close(this.#descriptor, () => undefined);
  }

  #lose(error: unknown): void {
    const lost = { error, turns: this.#flyingTurns + this.#waiting.length, bytes: this.backlog };
    this.#flying = undefined;
    this.#flyingTurns = 0;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#onLost(lost);
  }
}
