import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemChance } from '../../adapters/clock/chance.ts';
import { afterCheckPhase, scaledClock, systemClock } from '../../adapters/clock/wall-clock.ts';
import type { Disk } from '../../adapters/record/journal/kept-files.ts';
import type { Output } from '../../adapters/output/bounded-lines.ts';
import type { Dial } from '../../adapters/seed-client/undici-pool.ts';
import type { Connect } from '../../adapters/shoot/shoot-connection.ts';
import type { Later } from '../../adapters/record/facts/turns.ts';
import type { Chance, Clock } from '../../effects/ports.ts';

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
  /** Called once the first lists of a standby are in. Absent: nothing happens. */
  collect?: () => void;
  /** When turns are told to whoever reads them. Absent: at once, as in virtual time. */
  later?: Later;
}>;

export const machine: Surroundings = {
  clock: systemClock,
  steady: scaledClock(1),
  chance: systemChance,
  collect: collectGarbage,
  later: afterCheckPhase,
};

/** Gives back what the start left behind, in some 50 ms. V8 would not look for it before the heap has grown by much, which that of a standby never does. */
function collectGarbage(): void {
  // Only a new context gets the function.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: Readonly<{ type: 'major'; flavor: 'last-resort' }>) => void;
  collect({ type: 'major', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}
