import { systemChance } from '../../adapters/clock/chance.ts';
import { scaledClock, systemClock } from '../../adapters/clock/wall-clock.ts';
import type { Chance, Clock } from '../../effects/ports.ts';

/** What a role gets from the machine on which it runs. A test that runs a role in its own process passes others. */
export type Surroundings = Readonly<{
  /** The wall clock, which leases and certificates use. */
  clock: Clock;
  /** A clock that nobody sets forward or back. With one that is set, a lead could seem to last. */
  steady: Clock;
  chance: Chance;
  /** Takes each line of the log. Absent: the standard output. */
  write?: (line: string) => void;
}>;

export const machine: Surroundings = { clock: systemClock, steady: scaledClock(1), chance: systemChance };
