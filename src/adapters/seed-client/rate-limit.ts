import type { Clock } from '../../effects/ports.ts';
import { Lane } from './lane.ts';
import { TokenBucket } from './token-bucket.ts';

/** The values of the flags (SPEC 1.2): 0 means the default, below 0 means no limit. `qps` in requests per second. */
export type RateFlags = Readonly<{ qps: number; burst: number }>;

/** client-go's. */
export const defaultQps = 5;
export const defaultBurst = 10;

/** How much larger the bucket of the scale-downs is, in rate and in burst. */
const urgentFactor = 25;

/**
 * Urgent requests in flight. In a seed-wide outage the API server is slow, and a thousand more requests at once would make it
 * worse. Each also holds a connection.
 */
export const urgentInFlight = 100;

/** Other requests in flight. Only reached without a rate limit, or where the API server takes seconds to answer. */
export const normalInFlight = 100;

/**
 * Requests that may wait for each bucket: the scale-ups of more than 3,000 shoots with three dependants each. It
 * protects memory, about 1 KB for each request, from a caller with a bug.
 */
export const longestQueue = 10_000;

/** The rate limit of the seed client (SPEC 1.2): two buckets, each of them fair. */
export class RateLimit {
  readonly #normal: Lane;
  readonly #urgent: Lane;

  constructor(clock: Clock, flags: RateFlags) {
    this.#normal = laneOf(clock, flags, 1, normalInFlight);
    this.#urgent = laneOf(clock, flags, urgentFactor, urgentInFlight);
  }

  /**
   * As `Lane.admit`: a request that was admitted must leave by the function that it got. Among the urgent ones, writes go ahead of
   * reads: known work is finished before more is looked for, and before watches, which take a connection each.
   */
  admit(
    urgent: boolean,
    signals: readonly AbortSignal[],
    onRequestHeld?: () => void,
    writes = false,
  ): Promise<() => void> {
    return urgent ? this.#urgent.admit(signals, onRequestHeld, writes) : this.#normal.admit(signals, onRequestHeld);
  }

  get waiting(): number {
    return this.#normal.waiting + this.#urgent.waiting;
  }
}

function laneOf(clock: Clock, { qps, burst }: RateFlags, factor: number, inFlight: number): Lane {
  const unlimited = qps < 0 || burst < 0;
  const rate = qps === 0 ? defaultQps : qps;
  const size = burst === 0 ? defaultBurst : burst;
  const bucket = unlimited ? undefined : new TokenBucket(rate * factor, size * factor, clock.now());
  return new Lane(clock, { bucket, inFlight, waiting: longestQueue });
}
