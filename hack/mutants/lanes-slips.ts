import type { Slip } from './slip.ts';

const seedRateLimitSeedSecondOrder: readonly string[] = [
  'test/adapters/seed-rate-limit.test.ts',
  'test/adapters/seed-second-order.test.ts',
];
const seedKubeClientSeedSecondOrder: readonly string[] = [
  'test/adapters/seed-kube-client.test.ts',
  'test/adapters/seed-second-order.test.ts',
];

/** The rate limit of the seed’s client. */
export const lanesSlips: readonly Slip[] = [
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'const mostAheadInARow = 3;',
    put: 'const mostAheadInARow = Infinity;',
    says: 'reads starve behind urgent writes',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'if (!inside) return;',
    put: '',
    says: 'who leaves twice makes room for two',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'if (this.#isClosed()) return;',
    put: '',
    says: 'any number of requests is in flight',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'this.waiting >= this.#limits.waiting',
    put: 'false as boolean',
    says: 'the queue grows without end',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'for (const unlisten of listening) unlisten();',
    put: '',
    says: 'each request leaves a listener behind on its signals',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'this.#nextToken?.unsubscribe();',
    put: '',
    says: 'each request that waits leaves a timer behind',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/lane.ts',
    find: 'this.#aheadInARow = next === this.#ahead.first ? this.#aheadInARow + 1 : 0;',
    put: 'this.#aheadInARow += 1;',
    says: 'after three urgent writes reads go first for ever',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/token-bucket.ts',
    find: 'Math.max(0, now - this.#filledAt)',
    put: 'now - this.#filledAt',
    says: 'a clock that is set back empties the bucket',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/token-bucket.ts',
    find: 'Math.min(Math.max(1, this.#burst * share), this.#tokens + passed * ratePerMs)',
    put: 'this.#tokens + passed * ratePerMs',
    says: 'a calm hour is saved up for a burst',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/token-bucket.ts',
    find: 'if (wait > near)',
    put: 'if (wait > 0)',
    says: 'a waiter may be woken at the same instant for ever',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/rate-limit.ts',
    find: 'rate.qps * urgentFactor, rate.burst * urgentFactor',
    put: 'rate.qps, rate.burst',
    says: 'scale-downs are as slow as everything else',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/rate-limit.ts',
    find: "writes && lane !== 'normal'",
    put: 'false',
    says: 'urgent writes wait behind urgent reads',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/rate.ts',
    find: 'qps < 0 || burst < 0',
    put: 'qps < 0',
    says: 'a burst below 0 is no limit no more',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/rate.ts',
    find: 'qps === 0 ? defaultRate.qps : qps',
    put: 'qps',
    says: 'a rate of 0 never lets a second request through',
    tests: seedRateLimitSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/undici-kube-client.ts',
    find: ", writes: method !== 'GET' });",
    put: ' });',
    says: 'a write does not say that it is one, and does not go ahead',
    tests: seedKubeClientSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/undici-kube-client.ts',
    find: "onRequestHeld?.({ by: 'rate', lane });",
    put: 'undefined;',
    says: 'what our own limit holds back is not told',
    tests: seedKubeClientSeedSecondOrder,
  },
  {
    file: 'src/adapters/seed-client/undici-kube-client.ts',
    find: "if (failure.kind === 'overloaded') onRequestHeld?.({ by: 'queue', lane });",
    put: '',
    says: 'what the full queue refuses is not told',
    tests: seedKubeClientSeedSecondOrder,
  },
];
