import { expect, test } from 'vitest';
import { crashBackOff } from '../workloads/pod-status.ts';

test.each([
  [undefined, 0, 0],
  [undefined, 3_600_000, 0],
  [0, 1_000, 10_000],
  [10_000, 1_000, 20_000],
  [160_000, 1_000, 300_000],
  [300_000, 1_000, 300_000],
  [300_000, 600_000, 300_000],
  [300_000, 600_001, 0],
] as const)('7.3 a container that waited %j and then ran for %i ms waits %i ms', (before, ran, expected) => {
  expect(crashBackOff(before, ran)).toBe(expected);
});
