import type { Subscription } from 'rxjs';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { KubeError } from '../kube/kube-error.ts';
import { whenAborted } from '../clock/deadline.ts';

/**
 * How one request ends from our side: a time-out by the Clock, or a signal. `signal` carries the KubeError as its
 * reason. Has to be let go.
 */
export class RequestCut {
  readonly #clock: Clock;
  readonly #asked: string;
  readonly #abort = new AbortController();
  readonly #unlisten: readonly (() => void)[];
  #whole: Subscription | undefined;
  #silence: Subscription | undefined;
  #heardAt: Instant;
  /** Nothing that has come is still being read. */
  #isHeardOut = true;
  /** Called when time is up, before the request ends by it. */
  onTooLong: () => void = () => undefined;

  /** `asked` begins the sentence of the error. */
  constructor(clock: Clock, asked: string, signals: readonly AbortSignal[]) {
    this.#clock = clock;
    this.#asked = asked;
    this.#heardAt = clock.now();
    const onAbort = (): void => this.#cut(new KubeError('aborted', `${asked} was cut off`));
    this.#unlisten = signals.map((signal) => whenAborted(signal, onAbort));
    if (signals.some(({ aborted }) => aborted)) onAbort();
  }

  /** When something came last; the beginning, before anything did. */
  get heardAt(): Instant {
    return this.#heardAt;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** From now on so much time for everything. Replaces the limit before, of everything. */
  allow(length: Millis): void {
    this.#whole?.unsubscribe();
    this.#whole = this.#clock.wakeAt(this.#clock.now() + length).subscribe(() => this.#tooLong(length));
  }

  /** However long it takes. */
  allowAnyLength(): void {
    this.#whole?.unsubscribe();
  }

  /** From now on at most so much time between two calls of `heard`. Replaces the limit before, of silence. */
  allowSilence(length: Millis): void {
    this.heard();
    // One timer for many calls: it looks, when it fires, how long the silence really was.
    const watch = (): void => {
      this.#silence?.unsubscribe();
      const since = this.#isHeardOut ? this.#heardAt : this.#clock.now();
      this.#silence = this.#clock.wakeAt(since + length).subscribe(() => {
        if (!this.#isHeardOut || this.#clock.now() - this.#heardAt < length) watch();
        else this.#tooLong(length);
      });
    };
    watch();
  }

  heard(): void {
    this.#heardAt = this.#clock.now();
  }

  /** The chunks as they come, each of them heard. While whoever reads takes his time over one, the silence is not the server's. */
  async *hearing(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#isHeardOut = false;
      yield chunk;
      this.#isHeardOut = true;
      this.heard();
    }
  }

  /**
   * The work, or the cut, whichever comes first. undici does not let go of a request that waits for a connection
   * until the connection is there; aborted, it will not send it then.
   */
  async race<Value>(work: Promise<Value>): Promise<Value> {
    // Whichever loses may still reject, when nobody listens any more.
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

  /** The cut's own error, where there was a cut; what undici then throws is only its echo. */
  explain(error: unknown): unknown {
    return this.signal.aborted ? this.#reason() : error;
  }

  /** Ends time-outs and listening. */
  letGo(): void {
    this.#whole?.unsubscribe();
    this.#silence?.unsubscribe();
    for (const unlisten of this.#unlisten) unlisten();
  }

  /** Cuts the connection of an answer that is not read to its end. One that is would lose a connection worth keeping. */
  abandon(): void {
    this.#cut(new KubeError('aborted', `${this.#asked} was abandoned`));
  }

  #tooLong(length: Millis): void {
    if (this.signal.aborted) return;
    this.onTooLong();
    this.#cut(new KubeError('timeout', `${this.#asked} failed: no answer within ${length} ms`));
  }

  #cut(error: KubeError): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(error);
  }

  #reason(): KubeError {
    const reason: unknown = this.signal.reason;
    return reason instanceof KubeError ? reason : new KubeError('aborted', `${this.#asked} was cut off`);
  }
}
