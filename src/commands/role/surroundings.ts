import { systemChance } from '../../adapters/clock/chance.ts';
import { scaledClock, systemClock } from '../../adapters/clock/wall-clock.ts';
import type { Chance, Clock } from '../../effects/ports.ts';

/** What a role gets from the machine on which it runs; a test that runs one within its own process gives others. */
export type Surroundings = Readonly<{
  /** The wall clock, in whose time leases and certificates are written. */
  clock: Clock;
  /** Never set, forth or back: one that is would make a lead seem to last. */
  steady: Clock;
  chance: Chance;
  /** Takes each line of the log; the standard output unless told. */
  write?: (line: string) => void;
}>;

export const machine: Surroundings = { clock: systemClock, steady: scaledClock(1), chance: systemChance };
