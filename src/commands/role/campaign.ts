import { defaultRate } from '../../adapters/seed-client/rate-limit.ts';
import { candidateIdentity, LeaderElection } from '../../adapters/election/leader-election.ts';
import type { Log } from '../../adapters/log/log.ts';
import type { LeaderElectionFlags } from './role-flags.ts';
import { leaseNameOf, machine, type RoleName, type Surroundings } from './role.ts';
import { seedClients, type SeedClientParts } from './seed-clients.ts';

/**
 * Takes part in a role's election once it is started (SPEC 8). It writes before anybody leads, and has a rate limit of
 * its own: a renewal that had to wait behind hundreds of scale-ups would lose the lead.
 */
export function campaign(
  role: RoleName,
  flags: LeaderElectionFlags,
  parts: Omit<SeedClientParts, 'rate'>,
  log: Log,
  { steady, chance }: Pick<Surroundings, 'steady' | 'chance'> = machine,
): LeaderElection {
  return new LeaderElection({
    ...flags,
    client: seedClients({ ...parts, rate: defaultRate })(),
    clock: steady,
    chance,
    name: leaseNameOf(role),
    identity: candidateIdentity(),
    onTrouble: (line) => log.error('the leader election has trouble', { problem: line }),
  });
}
