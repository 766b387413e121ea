import type { Clock } from '../../effects/ports.ts';
import type { LaneName } from '../kube/kube-client.ts';
import { Lane } from './lane.ts';
import { TokenBucket } from './token-bucket.ts';

/** At most `burst` requests at once, and `qps` per second in the long run. */
export type Rate = 'unlimited' | Readonly<{ qps: number; burst: number }>;

/** client-go's. */
export const defaultRate = { qps: 5, burst: 10 } as const;

/** The rate that the flags mean (SPEC 1.2): 0 is the default, below 0 or infinite is no limit. */
export function rateOf({ qps, burst }: Readonly<{ qps: number; burst: number }>): Rate {
  if (qps < 0 || burst < 0 || !Number.isFinite(qps)) return 'unlimited';
  return { qps: qps === 0 ? defaultRate.qps : qps, burst: burst === 0 ? defaultRate.burst : burst };
}

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

  constructor(clock: Clock, rate: Rate) {
    this.#normal = laneOf(clock, rate, 1, normalInFlight);
    this.#urgent = laneOf(clock, rate, urgentFactor, urgentInFlight);
  }

  /**
   * As `Lane.admit`: a request that was admitted must leave by the function that it got. Among the urgent ones, writes go ahead of
   * reads: known work is finished before more is looked for, and before watches, which take a connection each.
   */
  admit(
    lane: LaneName,
    signals: readonly AbortSignal[],
    onRequestHeld?: () => void,
    writes = false,
  ): Promise<() => void> {
    return lane === 'urgent'
      ? this.#urgent.admit(signals, onRequestHeld, writes)
      : this.#normal.admit(signals, onRequestHeld);
  }

  get waiting(): number {
    return this.#normal.waiting + this.#urgent.waiting;
  }
}

function laneOf(clock: Clock, rate: Rate, factor: number, inFlight: number): Lane {
  const bucket =
    rate === 'unlimited' ? undefined : new TokenBucket(rate.qps * factor, rate.burst * factor, clock.now());
  return new Lane(clock, { bucket, inFlight, waiting: longestQueue });
}
