import { expect, test } from 'vitest';
import { fullBudget, takeEarly, type EarlyBudget } from '../../src/domain/prober/probe-schedule.ts';

/** Probes that are wanted `every` so often, for so long; when each came. */
function probes(every: number, length: number): { at: number[]; spent: boolean[] } {
  const start = 1_000_000;
  let budget: EarlyBudget = fullBudget;
  const at: number[] = [];
  const spent: boolean[] = [];
  for (let now = start; now < start + length;) {
    const taken = takeEarly(budget, { at: now, wanted: now + every, askedAt: now });
    budget = taken.budget;
    now = taken.probeAt;
    at.push(now - start);
    spent.push(budget.spent);
  }
  return { at, spent };
}

test('4.6 ten early probes at once, then one every 2 s, and the twelve that come back each minute: 42 and not 240', () => {
  const { at } = probes(1, 60_000);
  expect(at.slice(0, 12)).toEqual([250, 500, 750, 1_000, 1_250, 1_500, 1_750, 2_000, 2_250, 2_500, 4_500, 6_500]);
  expect(at.length).toBeLessThan(50);
  const later = probes(1, 600_000).at.filter((one) => one > 540_000);
  // Twelve come back each minute; the others keep to 2 s.
  expect(later.length).toBeGreaterThanOrEqual(28);
  expect(later.length).toBeLessThanOrEqual(42);
});

test('4.6 an honest shoot never comes to the end of it: three a minute', () => {
  const { at, spent } = probes(20_000, 3_600_000);
  expect(at).toHaveLength(180);
  expect(spent).not.toContain(true);
});

test('4.6 it is spent until it is full again, so that it is said once', () => {
  const empty = { left: 0, filledAt: 0, spent: true };
  const take = (at: number) => takeEarly(empty, { at, wanted: at, askedAt: at }).budget.spent;
  expect([take(5_000), take(49_999), take(50_000)]).toEqual([true, true, false]);
});

test('4.6 a clock that is set back fills nothing and takes nothing', () => {
  const { budget } = takeEarly({ left: 3, filledAt: 100_000, spent: false }, { at: 40_000, wanted: 0, askedAt: 0 });
  expect(budget).toEqual({ left: 2, filledAt: 40_000, spent: false });
});
