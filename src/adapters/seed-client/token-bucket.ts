import type { Instant, Millis } from '../../domain/time.ts';

// A present instant has a precision of 0.0003 ms. A token that is due sooner than this counts as there. Otherwise its waiter
// would be woken at the same instant for ever.
const near: Millis = 0.01;

/** Lets through `burst` requests at once and `rate` a second in the long run. Full at first. */
export class TokenBucket {
  readonly #ratePerMs: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt: Instant;

  /** `rate` above 0, in tokens a second; `burst` at least 1. */
  constructor(rate: number, burst: number, now: Instant) {
    this.#ratePerMs = rate / 1_000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAt = now;
  }

  /** Takes a token and returns undefined, or returns when there will be one. `share`: how much of rate and burst there is at present. */
  take(now: Instant, share: number = 1): Instant | undefined {
    const ratePerMs = this.#ratePerMs * share;
    // A wall clock may be set back; that adds no tokens.
    const passed = Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(Math.max(1, this.#burst * share), this.#tokens + passed * ratePerMs);
    this.#filledAt = now;
    const wait = (1 - this.#tokens) / ratePerMs;
    if (wait > near) return now + wait;
    this.#tokens -= 1;
    return undefined;
  }

  /** Takes all tokens; new ones come from `at` on. */
  empty(at: Instant): void {
    this.#tokens = 0;
    this.#filledAt = at;
  }
}
