import type { Dispatcher } from 'undici';
import { decoded } from '../reading/bounded-bytes.ts';
import type { RequestCut } from './request-cut.ts';

type Head = Readonly<{ status: number; headers: Readonly<Record<string, string | string[] | undefined>> }>;

/** Bytes that wait for a slow reader before the server has to wait for him. */
const mostWaiting = 65_536;

/**
 * One request, and its answer as it comes. undici's own `request` makes a stream of each body, with its events and listeners; that costs
 * more than all else that a small answer needs.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #cut: RequestCut;
  readonly #look: () => void;
  readonly #head = Promise.withResolvers<Head>();
  #controller: Dispatcher.DispatchController | undefined;
  /** What has come and was not taken yet. */
  #chunks: Buffer[] = [];
  #waiting = 0;
  #isOver = false;
  #error: Error | undefined;
  /** The reader waits for a chunk. */
  #wake: (() => void) | undefined;

  /**
   * `look` is called in the very moment before the request is written to its connection. Where it throws, the request is not sent. A
   * connection may take seconds to open, or the process may have stood still, so the result of an earlier look might not be true any more.
   */
  constructor(cut: RequestCut, look: () => void) {
    this.#cut = cut;
    this.#look = look;
    cut.whenCut((error) => {
      this.#chunks = [];
      this.#end(error);
      // A request that still waits for a connection has none.
      this.#controller?.abort(error);
    });
  }

  /** Rejects with the error of the cut, of `look` or of undici. */
  get head(): Promise<Head> {
    return this.#head.promise;
  }

  /** The next chunk of the body, undefined at its end. Rejects as `head`. While the reader is busy with a chunk, the server does not count as silent. */
  async next(): Promise<Buffer | undefined> {
    this.#cut.heard();
    while (this.#chunks.length === 0 && !this.#isOver) await new Promise<void>((resolve) => (this.#wake = resolve));
    const chunk = this.#chunks.shift();
    if (chunk === undefined && this.#error !== undefined) throw this.#error;
    if (chunk === undefined) return undefined;
    this.#waiting -= chunk.length;
    if (this.#waiting < mostWaiting) this.#controller?.resume();
    this.#cut.handed();
    return chunk;
  }

  /** The text of the body, or its beginning: with `cutShort` it has more than `largest` bytes, and the rest is not read. */
  async text(largest: number): Promise<Readonly<{ text: string; cutShort: boolean }>> {
    const chunks: Buffer[] = [];
    let length = 0;
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > largest) break;
    }
    return { text: decoded(chunks), cutShort: length > largest };
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#error !== undefined) throw this.#error;
    this.#look();
    this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Head['headers']): void {
    // They point into the block of 64 KB into which Node reads. undici would keep all of it as long as a watch is open.
    controller.rawHeaders = null;
    if (status >= 200) this.#head.resolve({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (this.#waiting >= mostWaiting) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#end(undefined);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  #end(error: Error | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#error = error;
    if (error !== undefined) this.#head.reject(error);
    this.#wake?.();
  }
}
