import { expect, test } from 'vitest';
import { pacer } from '../../src/adapters/reading/pacer.ts';
import { settled } from '@dwd/testing/virtual-clock.ts';

/** `count` callers come at once. Returns how many have passed by the end of this turn of the event loop, and of the next ones. */
async function passings(pass: () => Promise<void>, count: number): Promise<number[]> {
  const passed: number[] = [];
  for (let index = 0; index < count; index++) void pass().then(() => passed.push(index));
  const counts: number[] = [];
  for (let turn = 0; turn < 4; turn++) {
    await Promise.resolve();
    counts.push(passed.length);
    await settled();
  }
  expect(passed).toEqual(passed.toSorted((a, b) => a - b));
  return counts;
}

test('3.4 of many probes at once a few begin in each turn, in their order', async () => {
  expect(await passings(pacer(2), 7)).toEqual([2, 4, 6, 7]);
});

test('3.4 a probe that comes alone does not wait, and a pacer that was quiet lets as many pass again', async () => {
  const pass = pacer(2);
  for (let round = 0; round < 3; round++) {
    let passed = 0;
    for (let index = 0; index < 3; index++) void pass().then(() => (passed += 1));
    await Promise.resolve();
    await Promise.resolve();
    expect(passed).toBe(2);
    for (let turn = 0; turn < 3; turn++) await settled();
    expect(passed).toBe(3);
  }
});

test('1.2 3.4 of those that wait, the one that is needed soonest passes first, but nobody waits for what came ten seconds later', async () => {
  const pass = pacer(1);
  const passed: string[] = [];
  const come = (name: string, by?: number, now?: number) => void pass(by, now).then(() => passed.push(name));
  come('first');
  come('whenever', undefined, 0);
  come('later', 9_000, 0);
  come('soon', 5_000, 100);
  come('as soon', 5_000, 200);
  come('late already', 0, 10_001);
  for (let turn = 0; turn < 8; turn++) await settled();
  expect(passed).toEqual(['first', 'soon', 'as soon', 'later', 'whenever', 'late already']);
});
