import type { Subscription } from 'rxjs';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { KubeError } from '../kube/kube-error.ts';
import { whenAborted } from '../clock/deadline.ts';
import { seconds } from '../words/plain-words.ts';

/**
 * How one request ends from our side: by a time-out of the Clock, or by a signal. The reason of `signal` is the KubeError. The
 * caller must let it go in the end.
 */
export class RequestCut {
  readonly beganAt: Instant;
  readonly #clock: Clock;
  readonly #asked: string;
  readonly #abort = new AbortController();
  readonly #unlisten: readonly (() => void)[];
  #whole: Subscription | undefined;
  #silence: Subscription | undefined;
  #heardAt: Instant;
  /** The caller is not busy with a chunk. */
  #isReaderIdle = true;
  /** Called when the time is up, just before the request is cut. */
  onTimeUp: () => void = () => undefined;

  /** `asked` begins the sentence of the error. */
  constructor(clock: Clock, asked: string, signals: readonly AbortSignal[]) {
    this.#clock = clock;
    this.#asked = asked;
    this.beganAt = this.#heardAt = clock.now();
    const onAbort = (): void => this.#cut(new KubeError('aborted', `${asked} was cut off`));
    this.#unlisten = signals.map((signal) => whenAborted(signal, onAbort));
    if (signals.some(({ aborted }) => aborted)) onAbort();
  }

  /** When something last came; before that, when the request began. */
  get heardAt(): Instant {
    return this.#heardAt;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Limits the time from now to the end of the request. Replaces the former such limit. */
  allow(length: Millis): void {
    this.#whole?.unsubscribe();
    this.#whole = this.#clock.wakeAt(this.#clock.now() + length).subscribe(() => this.#timeIsUp(length));
  }

  /** Takes that limit away. */
  allowAnyLength(): void {
    this.#whole?.unsubscribe();
  }

  /** Limits the time between two calls of `heard`, from now on. Replaces the former such limit. */
  allowSilence(length: Millis): void {
    this.heard();
    // One timer serves many calls: when it fires, it checks how long the silence really was.
    const watch = (): void => {
      this.#silence?.unsubscribe();
      const since = this.#isReaderIdle ? this.#heardAt : this.#clock.now();
      this.#silence = this.#clock.wakeAt(since + length).subscribe(() => {
        if (!this.#isReaderIdle || this.#clock.now() - this.#heardAt < length) watch();
        else this.#timeIsUp(length);
      });
    };
    watch();
  }

  heard(): void {
    this.#heardAt = this.#clock.now();
  }

  /** Passes the chunks on, and counts each as heard. While the reader is busy with a chunk, the server is not counted as silent. */
  async *hearing(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#isReaderIdle = false;
      yield chunk;
      this.#isReaderIdle = true;
      this.heard();
    }
  }

  /**
   * Settles with the work or with the cut, whichever comes first. undici keeps an aborted request that waits for a connection
   * until the connection is there, and only then drops it.
   */
  async race<Value>(work: Promise<Value>): Promise<Value> {
    // The loser may still reject when nobody listens any more.
    work.catch(() => undefined);
    const cut = Promise.withResolvers<never>();
    cut.promise.catch(() => undefined);
    const lose = (): void => cut.reject(this.#reason());
    if (this.signal.aborted) lose();
    else this.signal.addEventListener('abort', lose);
    try {
      return await Promise.race([cut.promise, work]);
    } finally {
      this.signal.removeEventListener('abort', lose);
    }
  }

  /** The error of the cut, where there was one: the error that undici then throws only follows from it. */
  explain(error: unknown): unknown {
    return this.signal.aborted ? this.#reason() : error;
  }

  /** Ends the time-outs, and stops listening to the signals. */
  letGo(): void {
    this.#whole?.unsubscribe();
    this.#silence?.unsubscribe();
    for (const unlisten of this.#unlisten) unlisten();
  }

  /** Cuts the connection of an answer that is not read to its end. Not for one that is: that connection can be used again. */
  abandon(): void {
    this.#cut(new KubeError('aborted', `${this.#asked} was abandoned`));
  }

  #timeIsUp(length: Millis): void {
    if (this.signal.aborted) return;
    this.onTimeUp();
    const why = `no answer within ${seconds(length)}`;
    this.#cut(new KubeError('timeout', `${this.#asked} failed: ${why}`, { why }));
  }

  #cut(error: KubeError): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(error);
  }

  #reason(): KubeError {
    const reason: unknown = this.signal.reason;
    return reason instanceof KubeError ? reason : new KubeError('aborted', `${this.#asked} was cut off`);
  }
}
