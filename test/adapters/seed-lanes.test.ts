import { expect, test } from 'vitest';
import type { LaneName } from '../../src/adapters/kube/kube-client.ts';
import { RateLimit } from '../../src/adapters/seed-client/rate-limit.ts';
import type { Rate } from '../../src/adapters/seed-client/rate.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

/** How the lanes of one limit go along with each other, and in which order a lane goes. */

type Named = Readonly<{
  lane: LaneName;
  writes?: boolean;
  watches?: boolean;
  by?: number;
  signals?: readonly AbortSignal[];
}>;

/** With 5 a second, 5 in a burst, the lane of scale-ups has 25 and 25, and the urgent one 125 and 125. */
function stage(rate: Rate = { qps: 5, burst: 5 }) {
  const clock = new VirtualClock();
  const limit = new RateLimit(clock, rate);
  const admitted: string[] = [];
  const leaves = new Map<string, () => void>();
  /** Those whose name is not kept leave at once. */
  const ask = (name: string, { signals = [], ...asking }: Named, kept = false): void =>
    void limit.admit({ ...asking, signals }).then(
      (leave) => {
        admitted.push(name);
        if (kept) leaves.set(name, leave);
        else leave();
      },
      () => undefined,
    );
  const askMany = (count: number, name: string, asking: Named, kept = false): void => {
    for (let index = 0; index < count; index++) ask(`${name}${index}`, asking, kept);
  };
  const count = (name: string): number => admitted.filter((one) => one.startsWith(name)).length;
  return { clock, limit, admitted, ask, askMany, count, leave: (name: string) => leaves.get(name)?.() };
}

test('1.2 6.12 scale-ups have five times the rate, and no more at once than in a second', async () => {
  const { clock, askMany, count } = stage({ qps: 4, burst: 100 });
  askMany(60, 'up', { lane: 'healing', writes: true });
  await clock.advanceBy(0);
  expect(count('up')).toBe(20);
  await clock.advanceBy(1_000);
  expect(count('up')).toBe(40);
  await clock.advanceBy(500);
  expect(count('up')).toBe(50);
});

test('1.2 6.12 a small burst makes that of scale-ups small as well', async () => {
  const { clock, askMany, count } = stage({ qps: 4, burst: 2 });
  askMany(60, 'up', { lane: 'healing', writes: true });
  await clock.advanceBy(0);
  expect(count('up')).toBe(10);
});

test('1.2 6.12 no scale-up starts while urgent requests wait for the rate, and all start once none does', async () => {
  const { clock, askMany, ask, count } = stage();
  askMany(126, 'down', { lane: 'urgent', writes: true });
  ask('up', { lane: 'healing', writes: true });
  await clock.advanceBy(7.9);
  expect([count('down'), count('up')]).toEqual([125, 0]);
  await clock.advanceBy(0.2);
  expect([count('down'), count('up')]).toEqual([126, 1]);
});

test('1.2 6.12 a scale-up starts too when the last urgent request that waited is withdrawn', async () => {
  const { clock, askMany, ask, count } = stage();
  const withdrawn = new AbortController();
  askMany(125, 'down', { lane: 'urgent', writes: true });
  ask('late', { lane: 'urgent', writes: true, signals: [withdrawn.signal] });
  ask('up', { lane: 'healing', writes: true });
  await clock.advanceBy(0);
  withdrawn.abort();
  await clock.advanceBy(0);
  expect([count('down'), count('late'), count('up')]).toEqual([125, 0, 1]);
});

test('1.2 6.12 scale-ups and urgent requests together are at most 50 in flight; the urgent ones may be 100', async () => {
  const { clock, askMany, ask, count, leave } = stage('unlimited');
  askMany(30, 'down', { lane: 'urgent', writes: true }, true);
  askMany(30, 'up', { lane: 'healing', writes: true }, true);
  await clock.advanceBy(0);
  expect([count('down'), count('up')]).toEqual([30, 20]);
  leave('down0');
  await clock.advanceBy(0);
  expect(count('up')).toBe(21);
  askMany(71, 'more', { lane: 'urgent', writes: true }, true);
  await clock.advanceBy(0);
  expect(count('more')).toBe(71);
  leave('up0');
  leave('up1');
  await clock.advanceBy(0);
  expect(count('up')).toBe(21);
  ask('normal', { lane: 'normal' });
  await clock.advanceBy(0);
  expect(count('normal')).toBe(1);
});

test('1.2 6.12 the way down waits for no scale-up, whatever the lane of scale-ups is up to', async () => {
  const { clock, limit, askMany, count } = stage('unlimited');
  askMany(60, 'up', { lane: 'healing', writes: true }, true);
  limit.refused({ askedAt: 0, retryAfter: 60_000 });
  askMany(100, 'down', { lane: 'urgent', writes: true }, true);
  await clock.advanceBy(0);
  expect([count('up'), count('down')]).toEqual([50, 100]);
});

test('6.3 a scale-up that waits leaves its lane at once when it is withdrawn', async () => {
  const { clock, limit, askMany, ask, count } = stage();
  const withdrawn = new AbortController();
  askMany(25, 'first', { lane: 'healing', writes: true });
  askMany(500, 'up', { lane: 'healing', writes: true, signals: [withdrawn.signal] });
  ask('other', { lane: 'healing', writes: true });
  withdrawn.abort();
  expect(limit.waiting).toBe(1);
  await clock.advanceBy(41);
  expect([count('up'), count('other')]).toEqual([0, 1]);
});

test('6.12 a 429 pauses scale-ups, saves up nothing meanwhile, and halves their rate; other lanes go on', async () => {
  const { clock, limit, askMany, count } = stage();
  limit.refused({ askedAt: 0, retryAfter: 3_000 });
  askMany(1_000, 'up', { lane: 'healing', writes: true });
  askMany(100, 'down', { lane: 'urgent', writes: true });
  askMany(3, 'normal', { lane: 'normal' });
  await clock.advanceBy(2_999);
  expect([count('up'), count('down'), count('normal')]).toEqual([0, 100, 3]);
  await clock.advanceBy(2_001);
  // 25 a second, halved, and grown by a thirtieth of that in the first of the two seconds.
  expect(count('up')).toBeGreaterThanOrEqual(25);
  expect(count('up')).toBeLessThanOrEqual(26);
});

test('6.12 a 429 that comes while scale-ups wait holds those as well', async () => {
  const { clock, limit, askMany, count } = stage();
  askMany(40, 'up', { lane: 'healing', writes: true });
  await clock.advanceBy(0);
  limit.refused({ askedAt: 0, retryAfter: 5_000 });
  await clock.advanceBy(5_000);
  expect(count('up')).toBe(25);
  await clock.advanceBy(1_000);
  expect(count('up')).toBe(37);
});

test('6.12 without a limit of rate there is only the pause', async () => {
  const { clock, limit, askMany, count } = stage('unlimited');
  limit.refused({ askedAt: 0, retryAfter: 3_000 });
  askMany(40, 'up', { lane: 'healing', writes: true });
  await clock.advanceBy(2_999);
  expect(count('up')).toBe(0);
  await clock.advanceBy(1);
  expect(count('up')).toBe(40);
});

test('1.2 of those that wait, the one that is needed soonest goes first, and of the same instant the first that came', async () => {
  const { clock, askMany, ask, admitted } = stage({ qps: 0.04, burst: 0.04 });
  askMany(1, 'first', { lane: 'urgent' });
  for (const [name, by] of Object.entries({ a: 9_000, b: 5_000, c: 7_000, d: 5_000, e: -1_000 }))
    ask(name, { lane: 'urgent', by });
  ask('whenever', { lane: 'urgent' });
  await clock.advanceBy(10_000);
  expect(admitted).toEqual(['first0', 'e', 'b', 'd', 'c', 'a', 'whenever']);
});

test('1.2 however late the others are already: nobody waits for those that came ten seconds after it', async () => {
  const { clock, askMany, ask, admitted } = stage({ qps: 0.04, burst: 0.04 });
  askMany(1, 'first', { lane: 'urgent' });
  ask('whenever', { lane: 'urgent' });
  for (let second = 1; second <= 30; second++) {
    askMany(2, `late at ${second}-`, { lane: 'urgent', by: 0 });
    await clock.advanceBy(1_000);
  }
  const before = admitted.slice(0, admitted.indexOf('whenever'));
  expect(before.filter((one) => one.startsWith('late at 11-'))).toEqual([]);
  expect(before.length).toBeGreaterThan(10);
});

test('1.2 7.3 a watch yields to all writes for 3 s, and to lists; then it gets every fourth place', async () => {
  const { clock, ask, askMany, admitted, count } = stage();
  askMany(125, 'first', { lane: 'urgent' });
  await clock.advanceBy(0);
  ask('watch', { lane: 'urgent', watches: true });
  ask('list', { lane: 'urgent', by: 0 });
  askMany(500, 'delete', { lane: 'urgent', writes: true });
  await clock.advanceBy(2_999);
  expect([count('list'), count('watch')]).toEqual([1, 0]);
  expect(admitted.slice(125, 130)).toEqual(['delete0', 'delete1', 'delete2', 'list', 'delete3']);
  await clock.advanceBy(20);
  expect(count('watch')).toBe(1);
  expect(count('delete')).toBeLessThan(500);
});

test('1.2 a watch goes at once where no write waits', async () => {
  const { clock, ask, askMany, count } = stage();
  askMany(126, 'first', { lane: 'urgent' });
  ask('watch', { lane: 'urgent', watches: true });
  await clock.advanceBy(17);
  expect(count('watch')).toBe(1);
});
