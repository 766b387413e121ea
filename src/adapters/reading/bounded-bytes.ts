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

  /** The last bytes, at most `count`, until more are added. */
  tail(count: number): Buffer {
    return this.#bytes.subarray(Math.max(0, this.#length - count), this.#length);
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
 * The lines of a byte stream, decoded, each with its line break. The stream is split as bytes, so that a character which lies across two
 * chunks stays whole. Throws the error of `tooLong` where a line has more than `longest` bytes.
 */
export class LineSplitter {
  readonly #longest: number;
  readonly #tooLong: () => Error;
  /** Of a line whose end has not come. */
  #pieces: Uint8Array[] = [];
  #length = 0;
  #lineBytes = 0;

  constructor(longest: number, tooLong: () => Error) {
    this.#longest = longest;
    this.#tooLong = tooLong;
  }

  /** How many bytes the line had that was given last; its text tells it no more where it is no UTF-8. */
  get lineBytes(): number {
    return this.#lineBytes;
  }

  /** The lines that end in this chunk. */
  *take(chunk: Uint8Array): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end + 1));
      yield this.rest();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** What came after the last line break. */
  rest(): string {
    const text = decoded(this.#pieces);
    this.#lineBytes = this.#length;
    this.#pieces = [];
    this.#length = 0;
    return text;
  }

  #add(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > this.#longest) throw this.#tooLong();
    this.#pieces.push(piece);
  }
}

/** As `LineSplitter`, of a whole stream; its last line may lack the line break. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, splitter: LineSplitter): AsyncGenerator<string> {
  for await (const chunk of chunks) yield* splitter.take(chunk);
  const rest = splitter.rest();
  if (rest !== '') yield rest;
}

/** The text of bytes that came in pieces. */
export function decoded(pieces: readonly Uint8Array[]): string {
  const [only] = pieces;
  const bytes = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}
