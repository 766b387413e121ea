import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LaneName } from '../../src/adapters/kube/kube-client.ts';
import { longestQueue, RateLimit } from '../../src/adapters/seed-client/rate-limit.ts';
import { rateOf, type Rate } from '../../src/adapters/seed-client/rate.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

/** Asks `count` times at once, and returns when each was admitted, in order. None leaves by itself. */
function admissions(limit: RateLimit, clock: VirtualClock, count: number, lane: LaneName = 'normal'): number[] {
  const at: number[] = [];
  for (let index = 0; index < count; index++)
    void limit
      .admit({ lane, signals: [] })
      .then((leave) => leave())
      .finally(() => at.push(clock.now()));
  return at;
}

async function admittedOver(rate: Rate, count: number, length: number, lane: LaneName = 'normal'): Promise<number[]> {
  const clock = new VirtualClock();
  const at = admissions(new RateLimit(clock, rate), clock, count, lane);
  await clock.advanceBy(length);
  return at;
}

test('1.2 a burst goes at once, the rest at the rate, in order of arrival', async () => {
  expect(await admittedOver({ qps: 20, burst: 3 }, 6, 1_000)).toEqual([0, 0, 0, 50, 100, 150]);
});

test('1.2 a long quiet saves up no more than a burst', async () => {
  const clock = new VirtualClock();
  const limit = new RateLimit(clock, { qps: 20, burst: 3 });
  await clock.advanceBy(3_600_000);
  const at = admissions(limit, clock, 5);
  await clock.advanceBy(1_000);
  expect(at.map((instant) => instant - 3_600_000)).toEqual([0, 0, 0, 50, 100]);
});

test('1.2 zero means 5 and 10', async () => {
  const at = await admittedOver(rateOf({ qps: 0, burst: 0 }), 20, 1_000);
  expect(at).toEqual([...Array.from({ length: 10 }, () => 0), 200, 400, 600, 800, 1_000]);
});

test.each([
  { qps: -1, burst: 10 },
  { qps: 5, burst: -1 },
  { qps: Infinity, burst: 10 },
])('1.2 below zero there is no limit: $qps/$burst', async (flags) => {
  expect(await admittedOver(rateOf(flags), 1_000, 0)).toHaveLength(1_000);
});

test('1.2 the urgent bucket is 25 times as large, and its own', async () => {
  const clock = new VirtualClock();
  const limit = new RateLimit(clock, { qps: 4, burst: 2 });
  const normal = admissions(limit, clock, 3);
  const urgent = admissions(limit, clock, 53, 'urgent');
  await clock.advanceBy(20);
  expect(normal).toEqual([0, 0]);
  expect(urgent).toEqual([...Array.from({ length: 50 }, () => 0), 10, 20]);
});

test.each(['urgent', 'normal'] as const)('1.2 at most 100 are in flight (%s)', async (lane) => {
  const clock = new VirtualClock();
  const limit = new RateLimit(clock, 'unlimited');
  const leaves: (() => void)[] = [];
  for (let index = 0; index < 150; index++) void limit.admit({ lane, signals: [] }).then((leave) => leaves.push(leave));
  await clock.advanceBy(0);
  expect(leaves).toHaveLength(100);
  leaves[0]?.();
  leaves[0]?.();
  leaves[1]?.();
  await clock.advanceBy(0);
  expect(leaves).toHaveLength(102);
});

test('1.2 a waiting request can be withdrawn, and costs the others nothing', async () => {
  const clock = new VirtualClock();
  const limit = new RateLimit(clock, { qps: 10, burst: 1 });
  const order: string[] = [];
  const ask = (name: string, signals: AbortSignal[] = []): void =>
    void limit.admit({ signals }).then(
      () => order.push(`${name} ${clock.now()}`),
      (error: { kind: string }) => order.push(`${name} ${error.kind}`),
    );
  const second = new AbortController();
  const third = new AbortController();
  ask('first');
  ask('second', [new AbortController().signal, second.signal]);
  ask('third', [third.signal]);
  ask('fourth');
  ask('never', [AbortSignal.abort()]);
  await clock.advanceBy(50);
  second.abort();
  await clock.advanceBy(50);
  expect(order).toEqual(['first 0', 'never withdrawn', 'second withdrawn', 'third 100']);
  third.abort();
  await clock.advanceBy(200);
  expect(order.slice(4)).toEqual(['fourth 200']);
  expect(limit.waiting).toBe(0);
  expect(clock.sleeping).toBe(0);
});

test('1.2 urgent writes go ahead of urgent reads, which still get every fourth place', async () => {
  const clock = new VirtualClock();
  const limit = new RateLimit(clock, { qps: 0.04, burst: 0.04 });
  const order: string[] = [];
  const ask = (name: string, lane: LaneName, writes: boolean): void =>
    void limit.admit({ lane, signals: [], writes }).then((leave) => {
      order.push(name);
      leave();
    });
  ask('first', 'urgent', false);
  for (const name of ['r1', 'r2', 'r3']) ask(name, 'urgent', false);
  for (const name of ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7']) ask(name, 'urgent', true);
  await clock.advanceBy(10_000);
  expect(order).toEqual(['first', 'w1', 'w2', 'w3', 'r1', 'w4', 'w5', 'w6', 'r2', 'w7', 'r3']);
});

test('1.2 among the others nobody overtakes', async () => {
  const clock = new VirtualClock();
  const limit = new RateLimit(clock, { qps: 1, burst: 1 });
  const order: string[] = [];
  for (const name of ['r1', 'r2', 'w1', 'w2'])
    void limit.admit({ signals: [], writes: name.startsWith('w') }).then(() => order.push(name));
  await clock.advanceBy(5_000);
  expect(order).toEqual(['r1', 'r2', 'w1', 'w2']);
});

test('1.2 the queue is bounded: one more is refused at once', async () => {
  const limit = new RateLimit(new VirtualClock(), { qps: 1, burst: 1 });
  const asked = Array.from({ length: longestQueue + 2 }, () => limit.admit({ signals: [] }));
  asked.slice(0, -1).forEach((one) => void one.catch(() => undefined));
  await expect(asked.at(-1)).rejects.toMatchObject({ kind: 'overloaded' });
  expect(limit.waiting).toBe(longestQueue);
});

test('1.2 whatever requests come at whatever time, no second sees more than burst and rate, and nobody overtakes', async () => {
  const asks = fc.array(fc.nat(3_000), { minLength: 1, maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(
      asks,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 12 }),
      async (plan, qps, burst) => {
        const clock = new VirtualClock(1.7e12);
        const limit = new RateLimit(clock, { qps, burst });
        const admitted: { asked: number; at: number }[] = [];
        const ask = (asked: number): void =>
          void limit
            .admit({ signals: [] })
            .then((leave) => leave())
            .finally(() => admitted.push({ asked, at: clock.now() }));
        for (const asked of plan) clock.wakeAt(1.7e12 + asked).subscribe(() => ask(asked));
        await clock.advanceBy(100_000);
        expect(admitted.map(({ asked }) => asked)).toEqual(plan.toSorted((a, b) => a - b));
        for (const one of admitted) {
          const within = admitted.filter(({ at }) => at >= one.at && at < one.at + 1_000).length;
          expect(within).toBeLessThanOrEqual(burst + qps + 1);
        }
      },
    ),
    { numRuns: 40 },
  );
});
