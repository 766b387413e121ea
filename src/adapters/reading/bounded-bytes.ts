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

const newline = 0x0a;

/**
 * The lines of a byte stream, decoded, each with its line break, which the last one may lack. The stream is split as bytes, so that a
 * character which lies across two chunks stays whole. Throws the error of `tooLong` where a line has more than `longest` bytes.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  longest: number,
  tooLong: () => Error,
): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const take = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > longest) throw tooLong();
    pieces.push(piece);
  };
  const line = (): string => {
    const text = Buffer.concat(pieces).toString('utf8');
    pieces = [];
    length = 0;
    return text;
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      take(chunk.subarray(start, end + 1));
      yield line();
      start = end + 1;
    }
    if (start < chunk.length) take(chunk.subarray(start));
  }
  if (length > 0) yield line();
}

/** The text of a body, or its beginning: with `cutShort` it has more than `largest` bytes, and the rest is not read. */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  largest: number,
): Promise<Readonly<{ text: string; cutShort: boolean }>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let cutShort = false;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    cutShort = length > largest;
    if (cutShort) break;
  }
  return { text: Buffer.concat(chunks).toString('utf8'), cutShort };
}
