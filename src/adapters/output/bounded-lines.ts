import { Buffer } from 'node:buffer';
import type { Millis } from '../../domain/time.ts';
import type { After } from '../clock/plain-clock.ts';

/**
 * Where lines go to: standard output, or standard error (SPEC 11.1). It is offered bytes, and never waits for whoever reads them. `taken` is called later, never within
 * `write`, with what went wrong or with the number of bytes that were taken, at least one. No second write may come before that.
 */
export type Output = Readonly<{
  write(bytes: Buffer, taken: (error: Error | null, written: number) => void): void;
}>;

/** What may wait for an output that takes nothing: some 4,000 lines, an outage of a hundred shoots. */
const mostWaitingBytes = 1_048_576;

/** What is offered at once: as much as a pipe takes. */
const offeredBytes = 65_536;

/** How soon an output that failed is tried again: a full disk is not helped by more. */
const retryAfter: Millis = 1_000;

type LinesLost = Readonly<{
  count: number;
  /** What the output said last; undefined if it just took nothing. */
  error: Error | undefined;
}>;

type BoundedLinesOptions = Readonly<{
  output: Output;
  after: After;
  /** The line, with its break, that stands for those that were lost at its place. */
  lossLine: (lost: LinesLost) => string;
}>;

/**
 * Lines on their way to an output that may be slow, full or gone (SPEC 11.1). Nobody waits for it. If too much waits, the oldest lines are
 * dropped: the last ones before a crash matter most.
 */
export class BoundedLines {
  /** A line was dropped. */
  onDropped: () => void = () => undefined;
  readonly #options: BoundedLinesOptions;
  readonly #waiting: string[] = [];
  #waitingBytes = 0;
  /** Dropped, and no line tells of it yet. */
  #lost = 0;
  #error: Error | undefined;
  /** Taken out of `waiting`, and offered until the last byte is taken: half a line must not be left. */
  #rest: Buffer = Buffer.alloc(0);
  #state: 'idle' | 'offered' | 'pausing' = 'idle';
  readonly #whenSettled: (() => void)[] = [];

  constructor(options: BoundedLinesOptions) {
    this.#options = options;
  }

  /** Bytes that the output has not taken yet. */
  get backlog(): number {
    return this.#waitingBytes + this.#rest.length;
  }

  /** Takes a line with its break. */
  write(line: string): void {
    this.#waiting.push(line);
    this.#waitingBytes += Buffer.byteLength(line);
    while (this.#waitingBytes > mostWaitingBytes) this.#drop();
    if (this.#state === 'idle') this.#offer();
  }

  /** Resolves once the output has taken all, or failed, or after this time. */
  async flushed(within: Millis): Promise<void> {
    if (this.#state === 'pausing') this.#offer();
    if (this.#state === 'idle') return;
    await new Promise<void>((resolve) => {
      const cancel = this.#options.after(within, resolve);
      this.#whenSettled.push(() => {
        cancel();
        resolve();
      });
    });
  }

  #drop(): void {
    this.#shift();
    this.#lost++;
    this.onDropped();
  }

  #shift(): string {
    const line = this.#waiting.shift() ?? '';
    this.#waitingBytes -= Buffer.byteLength(line);
    return line;
  }

  #offer(): void {
    if (this.#rest.length === 0) this.#rest = this.#next();
    if (this.#rest.length === 0) {
      this.#settle('idle');
      return;
    }
    this.#state = 'offered';
    this.#options.output.write(this.#rest, (error, written) => {
      this.#rest = this.#rest.subarray(written);
      if (error === null) {
        this.#offer();
        return;
      }
      this.#error = error;
      this.#settle('pausing');
      this.#options.after(retryAfter, () => {
        if (this.#state === 'pausing') this.#offer();
      });
    });
  }

  #settle(state: 'idle' | 'pausing'): void {
    this.#state = state;
    for (const settled of this.#whenSettled.splice(0)) settled();
  }

  #next(): Buffer {
    let text = '';
    if (this.#lost > 0) text = this.#options.lossLine({ count: this.#lost, error: this.#error });
    this.#lost = 0;
    while (this.#waiting.length > 0 && text.length < offeredBytes) text += this.#shift();
    this.#error = undefined;
    return Buffer.from(text);
  }
}
