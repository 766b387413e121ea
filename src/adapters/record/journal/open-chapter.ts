import { Buffer } from 'node:buffer';
import type { Instant } from '../../../domain/time.ts';
import { instantOfLine } from './journal-line.ts';

/** What a chapter holds, as bytes, and what is known of it without reading it. */
export type ChapterText = Readonly<{
  /** JSON lines with their line breaks, the header first. */
  text: Buffer;
  turns: number;
  /** Of its first turn, and of its last. */
  firstAt: Instant;
  lastAt: Instant;
  /** How many bytes each machine has in it. */
  bytesOf: ReadonlyMap<string, number>;
}>;

/**
 * The chapter that still grows. It is written as bytes at once: lines kept as texts would live just long enough for the collection of garbage to copy each of
 * them twice, and would be joined and encoded when the chapter is closed.
 */
export class OpenChapter {
  #text: Buffer;
  #length = 0;
  #turns = 0;
  #firstAt: Instant = Number.NaN;
  #lastLine = '';
  #bytesOf = new Map<string, number>();

  /** `size`: how many bytes a chapter is likely to take. */
  constructor(header: string, size: number) {
    this.#text = Buffer.allocUnsafeSlow(size);
    this.begin(header);
  }

  /** Forgets all, and takes the next chapter in the same place. */
  begin(header: string): void {
    [this.#length, this.#turns, this.#lastLine, this.#bytesOf] = [0, 0, '', new Map()];
    this.#write(header, Buffer.byteLength(header));
  }

  get length(): number {
    return this.#length;
  }

  get turns(): number {
    return this.#turns;
  }

  /** A line with its line break, and how many bytes that is. */
  append(subject: string, line: string, bytes: number): void {
    this.#write(line, bytes);
    if (this.#turns === 0) this.#firstAt = instantOfLine(line);
    this.#turns += 1;
    this.#lastLine = line;
    this.#bytesOf.set(subject, (this.#bytesOf.get(subject) ?? 0) + bytes);
  }

  /** As it stands now, and only until the next chapter begins: the bytes are not copied. */
  whole(): ChapterText {
    return {
      text: this.#text.subarray(0, this.#length),
      turns: this.#turns,
      firstAt: this.#firstAt,
      lastAt: instantOfLine(this.#lastLine),
      bytesOf: this.#bytesOf,
    };
  }

  #write(line: string, bytes: number): void {
    const length = this.#length + bytes;
    if (length > this.#text.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length);
      this.#text.copy(larger, 0, 0, this.#length);
      this.#text = larger;
    }
    this.#text.write(line, this.#length);
    this.#length = length;
  }
}
