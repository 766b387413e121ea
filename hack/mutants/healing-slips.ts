import type { Slip } from './slip.ts';

const seedLanes: readonly string[] = ['test/adapters/seed-lanes.test.ts'];
const seedSlowdown: readonly string[] = ['test/adapters/seed-slowdown.test.ts'];
const seedKubeClientSeedSecondOrder: readonly string[] = [
  'test/adapters/seed-kube-client.test.ts',
  'test/adapters/seed-second-order.test.ts',
];

/** The lane of the scale-ups, and the order of those that wait in a lane. */
export const healingSlips: readonly Slip[] = [
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'return after.waiting > 0 || ',
    put: 'return ',
    says: 'scale-ups start while scale-downs wait',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'this.#inFlight + after.#inFlight >= inFlight',
    put: 'this.#inFlight >= inFlight',
    says: 'scale-ups fill up what the way down has in flight',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'for (const lane of this.#behind) lane.#moveUp();',
    put: '',
    says: 'scale-ups wait on when the way down is over',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'reject(withdrawn());\n        this.#moveUp();',
    put: 'reject(withdrawn());',
    says: 'scale-ups wait on behind a request that was withdrawn',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'bucket?.empty(slowdown.pausedUntil);',
    put: '',
    says: 'what was saved up is a burst at the end of a pause',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'return slowdown.pausedUntil;',
    put: 'return undefined;',
    says: 'a seed that asks us to wait is asked on',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'slowdown?.shareAt(now)',
    put: '1',
    says: 'a 429 slows nothing',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'now + longestOvertaken',
    put: 'Infinity',
    says: 'a request that says nothing of its hurry waits for ever',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'Math.max(by, now)',
    put: 'by',
    says: 'those that are late already overtake all who came before',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/deadline-queue.ts',
    find: 'other.by <= by',
    put: 'other.by < by',
    says: 'of two that are needed at the same instant the later one goes first',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/rate-limit.ts',
    find: 'rate.qps * healingFactor',
    put: 'rate.qps',
    says: 'scale-ups are as slow as everything else',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/rate-limit.ts',
    find: 'Math.min(rate.qps, rate.burst) * healingFactor',
    put: 'rate.burst * healingFactor',
    says: 'all controllers of a seed start in one instant',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/rate-limit.ts',
    find: 'after: urgent,',
    put: '',
    says: 'scale-ups stand in the way of the way down',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/token-bucket.ts',
    find: 'this.#tokens = 0;',
    put: '',
    says: 'a bucket that is emptied keeps its tokens',
    tests: seedLanes,
  },
  {
    file: 'src/adapters/seed-client/slowdown.ts',
    find: 'Math.max(leastShare, this.shareAt(now) / 2)',
    put: 'this.shareAt(now) / 2',
    says: 'overload after overload brings scale-ups to a stop',
    tests: seedSlowdown,
  },
  {
    file: 'src/adapters/seed-client/slowdown.ts',
    find: 'askedAt < this.#pausedUntil',
    put: 'false as boolean',
    says: 'each of the fifty in flight halves the rate',
    tests: seedSlowdown,
  },
  {
    file: 'src/adapters/seed-client/slowdown.ts',
    find: 'Math.max(this.#pausedUntil, now + pause)',
    put: 'now + pause',
    says: 'the last answer decides how long the pause is',
    tests: seedSlowdown,
  },
  {
    file: 'src/adapters/seed-client/slowdown.ts',
    find: 'this.#whole?.unsubscribe();',
    put: '',
    says: 'an end is told that is none',
    tests: seedSlowdown,
  },
  {
    file: 'src/adapters/seed-client/undici-kube-client.ts',
    find: 'options.limit.refused(refusal);',
    put: '',
    says: 'nobody tells the lane of a 429',
    tests: seedKubeClientSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/request-sender.ts',
    find: 'retryAfter: readRetryAfter(retryAfter, clock.now())',
    put: 'retryAfter: undefined',
    says: 'nobody reads how long the seed asks us to wait',
    tests: seedKubeClientSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/undici-kube-client.ts',
    find: 'limit.admit({ lane, by, ',
    put: 'limit.admit({ lane, ',
    says: 'the order of those that wait is not by their deadlines',
    tests: seedKubeClientSeedSecondOrder,
  },
];
