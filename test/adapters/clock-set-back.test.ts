import { expect, test } from 'vitest';
import { clockSetBack } from '../../src/adapters/clock/wall-clock.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

const hour = 3_600_000;

/** What is emitted while the wall clock differs from the steady one by these values, for a minute each. */
async function told(differences: readonly number[]): Promise<readonly number[]> {
  const steady = new VirtualClock(1_000);
  let difference = 0;
  const steps: number[] = [];
  const looking = clockSetBack({ now: () => steady.now() + difference }, steady).subscribe((by) => steps.push(by));
  for (difference of differences) await steady.advanceBy(60_000);
  looking.unsubscribe();
  return steps;
}

test('1.4 a wall clock that is set back is reported once, with the amount', async () => {
  expect(await told([0, -hour, -hour])).toEqual([hour]);
  expect(await told([hour, 0])).toEqual([hour]);
});

test('1.4 one that is set forth, slept through a pause or was put right by a little is not', async () => {
  expect(await told([0, hour, hour, hour - 4_000])).toEqual([]);
});
