import { describe, expect, test } from 'vitest';
import type { NodeLease } from '../../src/domain/prober/node-lease.ts';
import {
  fullBudget,
  crossingAfter,
  probeBackoff,
  planProbe,
  throttleHold,
} from '../../src/domain/prober/probe-schedule.ts';

const now = 1_000_000;
const policy = { grace: 40_000, failureFraction: 0.6 };
const renewed = (ages: Record<string, number>): NodeLease[] =>
  Object.entries(ages).map(([node, age]) => ({ node, renewedAt: now - age }));

describe('4.4 after failures', () => {
  test.each<[number, number, number]>([
    [1, 30_000, 1_000],
    [2, 30_000, 2_000],
    [3, 30_000, 4_000],
    [5, 30_000, 16_000],
    [6, 30_000, 30_000],
    [7, 30_000, 30_000],
    [10_000, 30_000, 30_000],
    [1, 500, 500],
    [60, 1e13, 1e13],
  ])('4.4 the %d. in a row, at an interval of %d ms, costs %d ms', (failures, interval, length) => {
    expect(probeBackoff(failures, interval)).toBe(length);
  });
});

describe('4.5 after a 429', () => {
  test.each<[number | undefined, number]>([
    [undefined, 1_000],
    [0, 1_000],
    [999, 1_000],
    [1_001, 1_001],
    [59_999, 59_999],
    [60_001, 60_000],
    [86_400_000, 60_000],
  ])('4.5 Retry-After %s keeps us away for %d ms, whatever failed before', (retryAfter, length) => {
    for (const failures of [1, 2, 1_000])
      expect(throttleHold(retryAfter === undefined ? {} : { retryAfter }, failures)).toBe(length);
  });

  test('4.5 where the server closed the connection, it grows to that', () => {
    const holds = [1, 2, 3, 4, 1_000].map((failures) => throttleHold({ retryAfter: 1_500, closes: true }, failures));
    expect(holds).toEqual([250, 500, 1_000, 1_500, 1_500]);
  });
});

describe('4.6 when the next probe is due', () => {
  test.each<[string, number | undefined, number]>([
    ['by the clock, where nothing can cross', undefined, now + 30_000],
    ['by the clock, where it comes first', now + 30_001, now + 30_000],
    ['at the crossing, where that comes first', now + 12_345, now + 12_345],
    ['never less than 250 ms after the last one', now + 1, now + 250],
    ['at 250 ms exactly', now + 250, now + 250],
  ])('4.6 %s', (_, crossing, at) => {
    expect(planProbe(fullBudget, { at: now, askedAt: now, dueAt: now + 30_000, crossing }).nextAt).toBe(at);
  });

  test('4.6 an interval shorter than the least pause is the operator’s own wish', () => {
    const plan = planProbe(fullBudget, { at: now, askedAt: now, dueAt: now + 100, crossing: now + 10 });
    expect(plan.nextAt).toBe(now + 100);
  });

  test.each<[string, Record<string, number>, string[], number | undefined, number?]>([
    ['all are candidates', { a: 0, b: 1_000, c: 2_000 }, [], now + 29_000],
    // Without c two of two are needed, with it two of three: both at the same instant here.
    ['one tells nothing', { a: 0, b: 1_000, c: 60_000 }, ['c'], now + 29_000],
    ['over the candidates it is met already', { a: 60_000, b: 60_000, c: 0, d: 0 }, ['c', 'd'], now + 30_000],
    ['over all it is met already', { a: 60_000, b: 60_000, e: 60_000, c: 0, d: 5_000 }, ['a', 'b', 'e'], now + 30_000],
    ['over all it comes sooner', { a: 60_000, b: 60_000, c: 0, d: 5_000 }, ['a', 'b'], now + 25_000],
    ['one candidate is too few, all are not', { a: 0, b: 3_000 }, ['a'], now + 30_000],
    ['nobody is left who could tell', { a: 60_000 }, [], undefined],
    ['a lease is missing whose node may be gone', { a: 0, b: 1_000, c: 2_000 }, [], now + 29_000, 1],
    ['it is met unless the nodes of missing leases are there', { a: 0, b: 60_000, c: 60_000 }, [], now + 30_000, 2],
    ['so many are missing that nobody can tell', { a: 60_000, b: 60_000, c: 0 }, [], undefined, 5],
  ])('4.6 where %s', (_, ages, nonCandidates, at, missing = 0) => {
    expect(crossingAfter(now, { leases: renewed(ages), nonCandidates, missing }, policy)).toBe(at);
  });
});
