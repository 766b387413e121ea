import type { Subscription } from 'rxjs';
import type { Instant, Millis } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { KubeError } from '../kube/kube-error.ts';
import { whenAborted } from '../clock/deadline.ts';
import { DeadlineQueue } from '../reading/pacer.ts';
import type { Refusal, Slowdown, TokenBucket } from './rate.ts';

/** `yieldsUntil`: before this, all that go ahead go before it. */
type Waiter = Readonly<{ admit: () => void; yieldsUntil: Instant }>;

type LaneLimits = Readonly<{
  /** Undefined where there is no limit of rate. */
  bucket: TokenBucket | undefined;
  /** The most requests between admission and leaving. */
  inFlight: number;
  /** The most requests that wait; one more is refused at once. */
  waiting: number;
  /** Undefined where nothing slows it. */
  slowdown?: Slowdown;
  /** While requests wait in that lane, none starts in this one; and what is in flight there counts as in flight here. */
  after?: Lane;
}>;

/** A request that asks for its turn. */
export type Asking = Readonly<{
  /** If one of them is aborted while the request waits, it leaves the queue. */
  signals: readonly AbortSignal[];
  /** Called where the request is not admitted at once. */
  onHeld?: () => void;
  /** It goes before the others, which still get every fourth place. */
  ahead?: boolean;
  /** By when it is needed; those that are needed sooner go first. */
  by?: Instant | undefined;
  /** It opens a watch. */
  watches?: boolean;
}>;

/** After this many requests that went ahead in a row, one of the others gets its turn. */
const mostAheadInARow = 3;

/**
 * For so long a watch gets none of these turns. The list before it has shown all that is to be done now, and it goes on from there, so it
 * misses nothing. It takes a connection of its own, 250 of them as long as all deletions of 250 services. Less than the patience of a stream.
 */
const watchYields: Millis = 3_000;

/**
 * Requests that wait for one bucket: by the instant at which each is needed, and else first come, first served, except for those that
 * go ahead. A request that was admitted must leave its slot. Leaving twice counts once.
 */
export class Lane {
  readonly #clock: Clock;
  readonly #limits: LaneLimits;
  readonly #waiting = new DeadlineQueue<Waiter>();
  readonly #ahead = new DeadlineQueue<Waiter>();
  /** The lanes that go after this one. */
  readonly #behind: Lane[] = [];
  #aheadInARow = 0;
  #inFlight = 0;
  #nextToken: Subscription | undefined;

  constructor(clock: Clock, limits: LaneLimits) {
    this.#clock = clock;
    this.#limits = limits;
    if (limits.after !== undefined) limits.after.#behind.push(this);
  }

  get waiting(): number {
    return this.#waiting.size + this.#ahead.size;
  }

  /**
   * Resolves when it is this request's turn, with the function that leaves. Rejects with KubeError: `withdrawn` where a signal was
   * aborted before, `overloaded` where the queue is full.
   */
  async admit({ signals, onHeld, ahead = false, by, watches = false }: Asking): Promise<() => void> {
    if (signals.some(({ aborted }) => aborted)) throw withdrawn();
    // Where nobody waits, as nearly always, nothing has to listen to the signals.
    if (this.waiting === 0 && !this.#isClosed() && this.#takeToken() === undefined) {
      this.#count(ahead);
      return this.#enter();
    }
    return new Promise((resolve, reject) => {
      if (this.waiting >= this.#limits.waiting) {
        reject(new KubeError('overloaded', `${this.#limits.waiting} requests wait already`));
        return;
      }
      const queue = ahead ? this.#ahead : this.#waiting;
      const now = this.#clock.now();
      const yieldsUntil = watches ? now + watchYields : now;
      let isWaiting = true;
      const stepOut = (): void => {
        isWaiting = false;
        for (const unlisten of listening) unlisten();
        queue.delete(waiter);
      };
      const giveUp = (): void => {
        stepOut();
        reject(withdrawn());
        this.#moveUp();
      };
      const waiter: Waiter = {
        yieldsUntil,
        admit: () => {
          stepOut();
          resolve(this.#enter());
        },
      };
      const listening = signals.map((signal) => whenAborted(signal, giveUp));
      queue.add(waiter, watches ? yieldsUntil : by, now);
      this.#moveUp();
      if (isWaiting) onHeld?.();
    });
  }

  /** The server has answered 429 (SPEC 6.12). It changes nothing where nothing slows this lane. */
  refused(refusal: Refusal): void {
    const { bucket, slowdown } = this.#limits;
    if (slowdown === undefined) return;
    slowdown.refused(refusal);
    // What was saved up before would be a burst at the end of the pause.
    bucket?.empty(slowdown.pausedUntil);
  }

  #count(wasAhead: boolean): void {
    this.#aheadInARow = wasAhead ? this.#aheadInARow + 1 : 0;
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
    this.#letIn();
    for (const lane of this.#behind) lane.#moveUp();
  }

  #letIn(): void {
    this.#nextToken?.unsubscribe();
    this.#nextToken = undefined;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (this.#isClosed()) return;
      const at = this.#takeToken();
      if (at !== undefined) {
        this.#nextToken = this.#clock.wakeAt(at).subscribe(() => this.#moveUp());
        return;
      }
      this.#count(next === this.#ahead.first);
      next.admit();
    }
  }

  #isClosed(): boolean {
    const { inFlight, after } = this.#limits;
    if (after === undefined) return this.#inFlight >= inFlight;
    return after.waiting > 0 || this.#inFlight + after.#inFlight >= inFlight;
  }

  /** Returns undefined where a token was taken, or else when to try again. */
  #takeToken(): Instant | undefined {
    const { bucket, slowdown } = this.#limits;
    const now = this.#clock.now();
    if (slowdown !== undefined && now < slowdown.pausedUntil) return slowdown.pausedUntil;
    return bucket?.take(now, slowdown?.shareAt(now));
  }

  #next(): Waiter | undefined {
    const ahead = this.#ahead.first;
    const other = this.#waiting.first;
    if (ahead === undefined || other === undefined) return ahead ?? other;
    const isOthersTurn = this.#aheadInARow >= mostAheadInARow && other.yieldsUntil <= this.#clock.now();
    return isOthersTurn ? other : ahead;
  }
}

function withdrawn(): KubeError {
  return new KubeError('withdrawn', 'withdrawn while it waited for the rate limit');
}
