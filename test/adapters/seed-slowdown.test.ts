import { expect, test } from 'vitest';
import { Slowdown, type SlowdownHooks } from '../../src/adapters/seed-client/rate.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

function stage() {
  const clock = new VirtualClock(1_000_000);
  const told: string[] = [];
  const hooks: SlowdownHooks = {
    onSlowed: ({ share, pause }) => told.push(`${share} after ${pause}`),
    onWhole: () => told.push(`whole at ${clock.now() - 1_000_000}`),
  };
  const slowdown = new Slowdown(clock, hooks);
  const refuse = (retryAfter?: number, askedAgo = 0): void =>
    slowdown.refused({ askedAt: clock.now() - askedAgo, retryAfter });
  return { clock, told, slowdown, refuse, share: () => slowdown.shareAt(clock.now()) };
}

test('6.12 a 429 halves the share, which grows by equal steps from the end of the pause, and the end is told', async () => {
  const { clock, told, share, refuse } = stage();
  expect(share()).toBe(1);
  refuse(2_000);
  expect(share()).toBe(0.5);
  await clock.advanceBy(2_000);
  expect(share()).toBe(0.5);
  await clock.advanceBy(15_000);
  expect(share()).toBe(0.75);
  await clock.advanceBy(15_000);
  expect(share()).toBe(1);
  await clock.advanceBy(3_600_000);
  expect(share()).toBe(1);
  expect(told).toEqual(['0.5 after 2000', 'whole at 32000']);
});

test('6.12 the 429s of one overload halve it once, and the longest pause counts', async () => {
  const { clock, told, slowdown, refuse, share } = stage();
  refuse(3_000);
  refuse(9_000);
  refuse(1_000);
  expect([share(), slowdown.pausedUntil]).toEqual([0.5, 1_009_000]);
  await clock.advanceBy(9_500);
  // It was sent before the pause ended.
  refuse(1_000, 600);
  expect([share(), slowdown.pausedUntil]).toEqual([0.5, 1_010_500]);
  expect(told).toEqual(['0.5 after 3000']);
});

test('6.12 overload after overload halves it again, but never to nothing', async () => {
  const { clock, told, refuse, share } = stage();
  for (let times = 0; times < 12; times++) {
    refuse(1_000);
    await clock.advanceBy(1_000);
  }
  expect(share()).toBe(1 / 32);
  expect(told.slice(0, 6).map((one) => one.split(' ')[0])).toEqual([
    '0.5',
    '0.25',
    '0.125',
    '0.0625',
    '0.03125',
    '0.03125',
  ]);
  await clock.advanceBy(3_600_000);
  expect(told).toHaveLength(13);
});

test.each([
  [undefined, 1_000],
  [0, 1_000],
  [5_000, 5_000],
  [3_600_000, 60_000],
])('6.12 a server that asks for %s ms gets a pause of %i ms', (retryAfter, pause) => {
  const { slowdown, refuse } = stage();
  refuse(retryAfter);
  expect(slowdown.pausedUntil).toBe(1_000_000 + pause);
});

test('6.12 no timer is left where nobody is to be told', () => {
  const clock = new VirtualClock();
  new Slowdown(clock).refused({ askedAt: 0, retryAfter: 1_000 });
  expect(clock.sleeping).toBe(0);
});
