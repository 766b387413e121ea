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

  /** Takes a token and returns undefined, or returns when there will be one. */
  take(now: Instant): Instant | undefined {
    // A wall clock may be set back; that adds no tokens.
    const passed = Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(this.#burst, this.#tokens + passed * this.#ratePerMs);
    this.#filledAt = now;
    const wait = (1 - this.#tokens) / this.#ratePerMs;
    if (wait > near) return now + wait;
    this.#tokens -= 1;
    return undefined;
  }
}
