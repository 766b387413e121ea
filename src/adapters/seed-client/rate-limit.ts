import type { Clock } from '../../effects/ports.ts';
import type { LaneName } from '../kube/kube-client.ts';
import { Lane, type Asking } from './lane.ts';
import { type Rate, Slowdown, type Refusal, type SlowdownHooks, TokenBucket } from './rate.ts';

/** How much larger the lane of the scale-downs is, in rate and in burst. */
const urgentFactor = 25;

/**
 * How much faster the lane of the scale-ups is. A kube-controller-manager that starts lists all that its shoot has, and elects itself; the
 * nodes of the seed start its container. So with Gardener's flags 100 of them start in a second, and the 1,500 writes of 500
 * shoots take 15 s. In the common queue these would take 75 s, and without a limit 500 would start in one instant.
 */
const healingFactor = 5;

/**
 * Urgent requests in flight. In a seed-wide outage the API server is slow, and a thousand more requests at once would make it
 * worse. Each also holds a connection.
 */
const urgentInFlight = 100;

/** Scale-ups in flight, together with the urgent ones: half of what the way down may have, so that it never waits for answers to these. */
const healingInFlight = 50;

/** Other requests in flight. Only reached without a rate limit, or where the API server takes seconds to answer. */
const normalInFlight = 100;

/** Requests in flight that there can ever be. */
export const mostInFlight: number = urgentInFlight + healingInFlight + normalInFlight;

/**
 * Requests that may wait in each lane: the scale-ups of more than 3,000 shoots with three dependants each. It
 * protects memory, about 1 KB for each request, from a caller with a bug.
 */
export const longestQueue = 10_000;

type AskingLane = Asking & Readonly<{ lane?: LaneName | undefined; writes?: boolean }>;

/** The rate limit of the seed client (SPEC 1.2): a lane for the way down, one behind it for the way up, and one for everything else. */
export class RateLimit {
  readonly #lanes: Readonly<Record<LaneName, Lane>>;

  constructor(clock: Clock, rate: Rate, slowed?: SlowdownHooks) {
    const bucket = (qps: number, burst: number): TokenBucket => new TokenBucket(qps, burst, clock.now());
    const waiting = longestQueue;
    const isLimited = rate !== 'unlimited';
    const urgent = new Lane(clock, {
      bucket: isLimited ? bucket(rate.qps * urgentFactor, rate.burst * urgentFactor) : undefined,
      inFlight: urgentInFlight,
      waiting,
    });
    this.#lanes = {
      urgent,
      healing: new Lane(clock, {
        // At once no more than in a second: five times the burst would be every kube-controller-manager of a seed.
        bucket: isLimited
          ? bucket(rate.qps * healingFactor, Math.min(rate.qps, rate.burst) * healingFactor)
          : undefined,
        inFlight: healingInFlight,
        waiting,
        after: urgent,
        slowdown: new Slowdown(clock, slowed),
      }),
      normal: new Lane(clock, {
        bucket: isLimited ? bucket(rate.qps, rate.burst) : undefined,
        inFlight: normalInFlight,
        waiting,
      }),
    };
  }

  /**
   * As `Lane.admit`: a request that was admitted must leave by the function that it got. In the lanes of scaling, writes go ahead of
   * reads: known work is finished before more is looked for, and before watches, which take a connection each.
   */
  admit({ lane = 'normal', writes = false, ...asking }: AskingLane): Promise<() => void> {
    return this.#lanes[lane].admit({ ...asking, ahead: writes && lane !== 'normal' });
  }

  /** The server has answered 429, to whichever request: scale-ups can wait, so they are slowed for all of them. */
  refused(refusal: Refusal): void {
    this.#lanes.healing.refused(refusal);
  }

  get waiting(): number {
    return Object.values(this.#lanes).reduce((sum, { waiting }) => sum + waiting, 0);
  }
}
