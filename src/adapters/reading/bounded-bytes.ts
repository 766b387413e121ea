import { tooLarge } from './probe-failed.ts';

const least = 4_096;

/**
 * Bytes that arrive in pieces, up to a limit. They are copied: a piece is a window on a buffer of up to 64 KB, and a
 * server that sends single bytes would otherwise make us hold thousands of those buffers.
 */
export class BoundedBytes {
  readonly #limit: number;
  readonly #what: string;
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** `what` is named in the error when the limit is passed. */
  constructor(limit: number, what: string) {
    this.#limit = limit;
    this.#what = what;
  }

  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer, start = 0, end = chunk.length): void {
    const length = this.#length + end - start;
    if (length > this.#limit) throw tooLarge(`${this.#what} is above ${this.#limit} bytes`);
    if (length > this.#bytes.length) {
      const roomier = Buffer.allocUnsafe(Math.max(least, 2 * length));
      this.#bytes.copy(roomier, 0, 0, this.#length);
      this.#bytes = roomier;
    }
    // For a few bytes a loop is cheaper than a call into native code.
    if (end - start < 16) for (let at = start; at < end; at++) this.#bytes[this.#length + at - start] = chunk[at] ?? 0;
    else chunk.copy(this.#bytes, this.#length, start, end);
    this.#length = length;
  }

  /** The last characters, read as Latin-1, at most `count`. */
  tail(count: number): string {
    return this.#bytes.toString('latin1', Math.max(0, this.#length - count), this.#length);
  }

  /** Returns the text so far, with invalid UTF-8 replaced, and empties the buffer. */
  take(): string {
    const text = this.#bytes.toString('utf8', 0, this.#length);
    this.#length = 0;
    return text;
  }
}
