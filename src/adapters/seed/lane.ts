import type { Subscription } from 'rxjs';
import type { Clock } from '../../effects/ports.ts';
import { KubeError } from '../kube-error.ts';
import type { TokenBucket } from './token-bucket.ts';

type Waiter = Readonly<{ admit: () => void }>;

type LaneLimits = Readonly<{
  /** Undefined where there is no limit of rate. */
  bucket: TokenBucket | undefined;
  /** At most so many between admission and leaving. */
  inFlight: number;
  /** At most so many wait; one more is refused at once. */
  waiting: number;
}>;

/**
 * Requests that wait for one bucket, first come, first served. Who is admitted has to leave, once; leaving twice
 * counts once.
 */
export class Lane {
  readonly #clock: Clock;
  readonly #limits: LaneLimits;
  // A set keeps the order of arrival, and lets anybody step out of the middle at no cost.
  readonly #waiting = new Set<Waiter>();
  #inFlight = 0;
  #nextToken: Subscription | undefined;

  constructor(clock: Clock, limits: LaneLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Answers how to leave, once it is this request's turn. Rejects with KubeError: `withdrawn` where a signal was
   * aborted before, `overloaded` where the queue is full. `onWait` is called where it is not admitted at once.
   */
  admit(signals: readonly AbortSignal[], onWait: () => void = () => undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signals.some(({ aborted }) => aborted)) {
        reject(withdrawn());
        return;
      }
      if (this.#waiting.size >= this.#limits.waiting) {
        reject(new KubeError('overloaded', `${this.#limits.waiting} requests wait already`));
        return;
      }
      const stepOut = (): void => {
        for (const signal of signals) signal.removeEventListener('abort', giveUp);
        this.#waiting.delete(waiter);
      };
      const giveUp = (): void => {
        stepOut();
        reject(withdrawn());
      };
      const waiter: Waiter = {
        admit: () => {
          stepOut();
          resolve(this.#leaveOnce());
        },
      };
      this.#waiting.add(waiter);
      for (const signal of signals) signal.addEventListener('abort', giveUp);
      this.#moveUp();
      if (this.#waiting.has(waiter)) onWait();
    });
  }

  #leaveOnce(): () => void {
    this.#inFlight += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#inFlight -= 1;
      this.#moveUp();
    };
  }

  #moveUp(): void {
    this.#nextToken?.unsubscribe();
    this.#nextToken = undefined;
    for (const waiter of this.#waiting) {
      if (this.#inFlight >= this.#limits.inFlight) return;
      const at = this.#limits.bucket?.take(this.#clock.now());
      if (at !== undefined) {
        this.#nextToken = this.#clock.wakeAt(at).subscribe(() => this.#moveUp());
        return;
      }
      waiter.admit();
    }
  }
}

function withdrawn(): KubeError {
  return new KubeError('withdrawn', 'withdrawn while it waited for the rate limit');
}
