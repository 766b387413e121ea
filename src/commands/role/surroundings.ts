import { systemChance } from '../../adapters/clock/chance.ts';
import { afterCheckPhase, scaledClock, systemClock } from '../../adapters/clock/wall-clock.ts';
import type { Disk } from '../../adapters/record/journal/kept-files.ts';
import type { Output } from '../../adapters/output/bounded-lines.ts';
import type { Dial } from '../../adapters/seed-client/undici-pool.ts';
import type { Connect } from '../../adapters/shoot/shoot-connection.ts';
import type { Later } from '../../adapters/record/facts/turns.ts';
import type { Chance, Clock } from '../../effects/ports.ts';
import { v8Heap, type Heap } from './heap.ts';

/** What a role gets from the machine on which it runs. A test that runs a role in its own process passes others. */
export type Surroundings = Readonly<{
  /** The wall clock, which leases and certificates use. */
  clock: Clock;
  /** A clock that nobody sets forward or back. With one that is set, a lead could seem to last. */
  steady: Clock;
  chance: Chance;
  /** Takes the log. Absent: the standard output. */
  output?: Output;
  /** How the seed is reached. Absent: over TLS. */
  dial?: Dial;
  /** How a shoot is reached. Absent: over TLS. */
  connect?: Connect;
  /** Of this process in the election. Absent: from the host's name and chance. */
  identity?: string;
  /** Absent: the process's own. */
  processId?: number;
  /** What the journal is written to. Absent: the machine's. */
  disk?: Disk;
  /** Absent: V8 does as it does by itself. */
  heap?: Heap;
  /** When turns are told to whoever reads them. Absent: at once, as in virtual time. */
  later?: Later;
}>;

export const machine: Surroundings = {
  clock: systemClock,
  steady: scaledClock(1),
  chance: systemChance,
  heap: v8Heap(),
  later: afterCheckPhase,
};
