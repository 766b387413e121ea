import { tooLarge } from './probe-failed.ts';

const least = 4_096;

/**
 * Bytes that arrive in pieces, up to a limit. They are copied: a piece is a window on a buffer of up to 64 KB, and a
 * server that sends single bytes would otherwise have us keep thousands of those.
 */
export class BoundedBytes {
  readonly #limit: number;
  readonly #what: string;
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** `what` is named when the limit is passed. */
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
    // A call into native code costs more than a few bytes do.
    if (end - start < 16) for (let at = start; at < end; at++) this.#bytes[this.#length + at - start] = chunk[at] ?? 0;
    else chunk.copy(this.#bytes, this.#length, start, end);
    this.#length = length;
  }

  /** The last characters, read as Latin-1, at most `count`. */
  tail(count: number): string {
    return this.#bytes.toString('latin1', Math.max(0, this.#length - count), this.#length);
  }

  /** The text so far, what is no UTF-8 replaced; afterwards it is empty. */
  take(): string {
    const text = this.#bytes.toString('utf8', 0, this.#length);
    this.#length = 0;
    return text;
  }
}
