import type { Instant } from '../../src/domain/time.ts';

/** The size of the smallest bucket, refilled at this rate a second, that would have let all of them through. */
export function bucketSize(instants: readonly Instant[], perSecond: number): number {
  let taken = 0;
  let most = 0;
  instants.forEach((at, index) => {
    const passed = at - (instants[index - 1] ?? at);
    taken = Math.max(0, taken - (passed * perSecond) / 1_000) + 1;
    most = Math.max(most, taken);
  });
  return most;
}
