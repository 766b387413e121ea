import { systemChance } from '../../adapters/chance.ts';
import type { Log } from '../../adapters/log/log.ts';
import { scaledClock } from '../../adapters/scaled-clock.ts';
import { candidateIdentity } from '../../adapters/seed/candidate-identity.ts';
import { LeaderElection } from '../../adapters/seed/leader-election.ts';
import type { LeaderElectionFlags } from './role-flags.ts';
import type { RoleName } from './role.ts';
import { seedClients, type SeedClientParts } from './seed-clients.ts';

/**
 * Takes part in a role's election once it is started (SPEC 8). It writes before anybody leads, and has a rate limit of
 * its own: a renewal that waited behind hundreds of scale-ups would lose the lead by them.
 */
export function campaign(
  role: RoleName,
  flags: LeaderElectionFlags,
  parts: Omit<SeedClientParts, 'rate'>,
  log: Log,
): LeaderElection {
  return new LeaderElection({
    ...flags,
    client: seedClients({ ...parts, rate: { qps: 0, burst: 0 } })(),
    // Monotonic: a wall clock that is set back would make the lead seem to last.
    clock: scaledClock(1),
    chance: systemChance,
    name: `dwd-${role}-leader-election`,
    identity: candidateIdentity(),
    onTrouble: (line) => log.error('the leader election has trouble', { problem: line }),
  });
}
