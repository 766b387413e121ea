import type { Millis } from '../../domain/time.ts';

/** The wait after the first failure; it doubles with each one that follows. */
const shortest = 800;

/** No wait is longer: a seed that is back must be seen again within the time that a meltdown takes to begin. */
const longest = 30_000;

/**
 * How long a stream rests after its `failures`-th failure in a row (1 or more), in ms. The upper half of each wait is
 * left to `chance`, in [0, 1), so that the streams of many watchdogs do not come back in one instant.
 */
export function backOff(failures: number, chance: number): Millis {
  const whole = Math.min(longest, shortest * 2 ** (failures - 1));
  return whole * (0.5 + chance / 2);
}
