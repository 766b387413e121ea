import type { Subscription } from 'rxjs';
import type { Clock } from '../../effects/ports.ts';
import { KubeError } from '../kube/kube-error.ts';
import { whenAborted } from '../clock/deadline.ts';
import type { TokenBucket } from './token-bucket.ts';

type Waiter = Readonly<{ admit: () => void }>;

type LaneLimits = Readonly<{
  /** Undefined where there is no limit of rate. */
  bucket: TokenBucket | undefined;
  /** The most requests between admission and leaving. */
  inFlight: number;
  /** The most requests that wait; one more is refused at once. */
  waiting: number;
}>;

/** After this many requests that went ahead in a row, one of the others gets its turn. */
const mostAheadInARow = 3;

/**
 * Requests that wait for one bucket: first come, first served, except for those that go ahead. A request that was admitted must
 * leave its slot. Leaving twice counts once.
 */
export class Lane {
  readonly #clock: Clock;
  readonly #limits: LaneLimits;
  // A set keeps the order of arrival, and removing from its middle costs nothing.
  readonly #waiting = new Set<Waiter>();
  readonly #ahead = new Set<Waiter>();
  #aheadInARow = 0;
  #inFlight = 0;
  #nextToken: Subscription | undefined;

  constructor(clock: Clock, limits: LaneLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.size + this.#ahead.size;
  }

  /**
   * Resolves when it is this request's turn, with the function that leaves. Rejects with KubeError: `withdrawn` where a signal was
   * aborted before, `overloaded` where the queue is full. Calls `onRequestHeld` where the request is not admitted at once.
   * `ahead`: it goes before the others, which still get every fourth place.
   */
  admit(
    signals: readonly AbortSignal[],
    onRequestHeld: () => void = () => undefined,
    ahead: boolean = false,
  ): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signals.some(({ aborted }) => aborted)) {
        reject(withdrawn());
        return;
      }
      if (this.waiting >= this.#limits.waiting) {
        reject(new KubeError('overloaded', `${this.#limits.waiting} requests wait already`));
        return;
      }
      const queue = ahead ? this.#ahead : this.#waiting;
      const stepOut = (): void => {
        for (const unlisten of listening) unlisten();
        queue.delete(waiter);
      };
      const giveUp = (): void => {
        stepOut();
        reject(withdrawn());
      };
      const waiter: Waiter = {
        admit: () => {
          stepOut();
          resolve(this.#enter());
        },
      };
      const listening = signals.map((signal) => whenAborted(signal, giveUp));
      queue.add(waiter);
      this.#moveUp();
      if (queue.has(waiter)) onRequestHeld();
    });
  }

  #enter(): () => void {
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
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (this.#inFlight >= this.#limits.inFlight) return;
      const at = this.#limits.bucket?.take(this.#clock.now());
      if (at !== undefined) {
        this.#nextToken = this.#clock.wakeAt(at).subscribe(() => this.#moveUp());
        return;
      }
      this.#aheadInARow = this.#ahead.has(next) ? this.#aheadInARow + 1 : 0;
      next.admit();
    }
  }

  #next(): Waiter | undefined {
    const [ahead] = this.#ahead;
    const [other] = this.#waiting;
    if (ahead === undefined || other === undefined) return ahead ?? other;
    return this.#aheadInARow < mostAheadInARow ? ahead : other;
  }
}

function withdrawn(): KubeError {
  return new KubeError('withdrawn', 'withdrawn while it waited for the rate limit');
}
