import type { Instant, Millis } from '../../domain/time.ts';
import type { Subscription } from 'rxjs';
import type { Clock } from '../../effects/ports.ts';

/** At most `burst` requests at once, and `qps` per second in the long run. */
export type Rate = 'unlimited' | Readonly<{ qps: number; burst: number }>;

/** client-go's. */
export const defaultRate = { qps: 5, burst: 10 } as const;

/** The rate that the flags mean (SPEC 1.2): 0 is the default, below 0 or infinite is no limit. */
export function rateOf({ qps, burst }: Readonly<{ qps: number; burst: number }>): Rate {
  if (qps < 0 || burst < 0 || !Number.isFinite(qps)) return 'unlimited';
  return { qps: qps === 0 ? defaultRate.qps : qps, burst: burst === 0 ? defaultRate.burst : burst };
}

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

/** One answer of 429: when its request was sent, and how long the server asks us to wait, where it says so. */
export type Refusal = Readonly<{ askedAt: Instant; retryAfter: Millis | undefined }>;

/** Who tells that scale-ups are slowed, and that they no longer are. */
export type SlowdownHooks = Readonly<{
  /** Called at each halving. `share` is what is left of the rate, `pause` how long nothing goes at all. */
  onSlowed: (slowed: Readonly<{ share: number; pause: Millis }>) => void;
  /** The rate is whole again. */
  onWhole: () => void;
}>;

/** As Kubernetes says in nearly all its answers of 429. */
const usualPause: Millis = 1_000;

/** What stands before an API server may name an hour. Nobody's pods are placed meanwhile, so we ask again sooner. */
const longestPause: Millis = 60_000;

/** The least share of the rate: 3 a second with Gardener's flags. A lane that stood still would not learn that the seed is well again. */
const leastShare = 1 / 32;

/** How long the rate takes to grow from nothing to the whole: after one halving it is whole in half this time. */
const regrowth: Millis = 60_000;

/**
 * How much of its rate a lane may use after the seed has answered 429 (SPEC 6.12): halved for each overload, and then grown by equal
 * steps, as TCP does it. Many shares of many clients come to rest at what the server can bear, without a word between them.
 */
export class Slowdown {
  readonly #clock: Clock;
  readonly #hooks: SlowdownHooks | undefined;
  /** The share at the end of the pause. */
  #share = 1;
  #pausedUntil: Instant = -Infinity;
  #whole: Subscription | undefined;

  constructor(clock: Clock, hooks?: SlowdownHooks) {
    this.#clock = clock;
    this.#hooks = hooks;
  }

  /** Nothing may go before this instant. */
  get pausedUntil(): Instant {
    return this.#pausedUntil;
  }

  /** Above 0, and 1 where nothing is slowed. */
  shareAt(now: Instant): number {
    return Math.min(1, this.#share + Math.max(0, now - this.#pausedUntil) / regrowth);
  }

  /** A request that was sent before the pause ended tells of the same overload: it lengthens the pause, and halves nothing. */
  refused({ askedAt, retryAfter = usualPause }: Refusal): void {
    const now = this.#clock.now();
    const pause = Math.min(Math.max(retryAfter, usualPause), longestPause);
    const isKnown = askedAt < this.#pausedUntil;
    if (!isKnown) this.#share = Math.max(leastShare, this.shareAt(now) / 2);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    if (this.#hooks === undefined) return;
    if (!isKnown) this.#hooks.onSlowed({ share: this.#share, pause });
    this.#whole?.unsubscribe();
    const wholeAt = this.#pausedUntil + (1 - this.#share) * regrowth;
    this.#whole = this.#clock.wakeAt(wholeAt).subscribe(this.#hooks.onWhole);
  }
}
