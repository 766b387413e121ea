import type { Subscription } from 'rxjs';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { KubeError } from '../kube/kube-error.ts';
import { whenAborted } from '../clock/deadline.ts';
import { seconds } from '../words/plain-words.ts';

/**
 * How one request ends from our side: by a time-out of the Clock, or by a signal. The caller must let it go in the end.
 */
export class RequestCut {
  readonly beganAt: Instant;
  readonly #clock: Clock;
  readonly #asked: string;
  readonly #unlisten: readonly (() => void)[];
  #whole: Subscription | undefined;
  #silence: Subscription | undefined;
  #heardAt: Instant;
  /** The caller is not busy with a chunk. */
  #isReaderIdle = true;
  #error: KubeError | undefined;
  #onCut: (error: KubeError) => void = () => undefined;
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

  /** Calls the listener when the request is cut, at once where it was cut before. The former listener does not hear of it any more. */
  whenCut(listener: (error: KubeError) => void): void {
    this.#onCut = listener;
    if (this.#error !== undefined) listener(this.#error);
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

  /** The reader waits for what comes next. */
  heard(): void {
    this.#isReaderIdle = true;
    this.#heardAt = this.#clock.now();
  }

  /** The reader has got something. While it is busy with that, the server is not counted as silent. */
  handed(): void {
    this.#isReaderIdle = false;
  }

  /** Settles with the work or with the cut, whichever comes first. The work goes on. */
  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.whenCut(reject);
      work.then(resolve, reject);
    });
  }

  /** The error of the cut, where there was one: the error that undici then throws only follows from it. */
  explain(error: unknown): unknown {
    return this.#error ?? error;
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
    if (this.#error !== undefined) return;
    this.onTimeUp();
    const why = `no answer within ${seconds(length)}`;
    this.#cut(new KubeError('timeout', `${this.#asked} failed: ${why}`, { why }));
  }

  #cut(error: KubeError): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.#onCut(error);
  }
}
