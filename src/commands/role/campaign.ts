import { defaultRate } from '../../adapters/seed-client/rate.ts';
import { candidateIdentity, LeaderElection, type Leadership } from '../../adapters/election/leader-election.ts';
import type { KubeError } from '../../adapters/kube/kube-error.ts';
import type { SeedHistory } from '../../adapters/reflector/seed-history.ts';
import type { Log } from '../../adapters/record/log/log.ts';
import type { Millis } from '../../domain/time.ts';
import { lastingTrouble } from './lasting-trouble.ts';
import type { LeaderElectionFlags } from './role-flags.ts';
import { leaseNameOf } from '../../adapters/election/lease-record.ts';
import type { RoleName } from '../../domain/names.ts';
import { machine, type Surroundings } from './surroundings.ts';
import { seedClients, type SeedClientParts } from './seed-clients.ts';

type CampaignParts = Omit<SeedClientParts, 'rate'> &
  Readonly<{
    log: Log;
    /** The seed's address at present. */
    server: () => string;
    /** Of the seed. */
    history: SeedHistory;
  }>;

const toldEvery: Millis = 3_600_000;

/**
 * Takes part in a role's election once it is started (SPEC 8). It writes before anybody leads, and has a rate limit of
 * its own: a renewal that had to wait behind hundreds of scale-ups would lose the lead. It tells who leads, by which Lease, and each minute
 * that the Lease cannot be had. A standby says so again once an hour.
 */
export function campaign(
  role: RoleName,
  flags: LeaderElectionFlags,
  { log, server, history, ...parts }: CampaignParts,
  { steady, chance, identity = candidateIdentity() }: Pick<Surroundings, 'steady' | 'chance' | 'identity'> = machine,
): LeaderElection {
  const lease = `${flags.namespace}/${leaseNameOf(role)}`;
  const trouble = lastingTrouble(log, steady, { line: 'cannot hold the Lease', lease });
  const what = () => `${election.holder === identity ? 'renew' : 'take'} the Lease ${lease} on ${server()}`;
  let toldAt = steady.now();
  const tell = (leadership: Leadership, holder: string) => {
    toldAt = steady.now();
    log.info(leadershipWords(leadership, lease, holder), {
      line: 'leadership',
      leadership,
      lease,
      holder: holder || undefined,
    });
  };
  /** Whoever reads the log of a standby alone must not take it for one that watches. */
  const remind = () => {
    if (election.holder !== identity && steady.now() - toldAt >= toldEvery) tell('standby', election.holder);
  };

  const election = new LeaderElection({
    ...flags,
    client: seedClients({ ...parts, rate: defaultRate })(),
    clock: steady,
    chance,
    name: leaseNameOf(role),
    identity,
    onTry(failure) {
      if (failure !== undefined) return trouble.fails(what(), reasonOf(failure));
      trouble.works();
      remind();
    },
    onUnwatchable: ({ why }) =>
      log.warn(`cannot watch the Lease ${lease}, so a standby sees some seconds later that it is free: ${why}`, {
        line: 'cannot watch the Lease',
        lease,
      }),
    onHolder: (holder) => tell('standby', holder),
    onRewound: () => history.goBack(),
  });
  election.leadership$.subscribe((leadership) => {
    if (leadership !== 'standby') tell(leadership, election.holder);
  });
  return election;
}

function leadershipWords(leadership: Leadership, lease: string, holder: string): string {
  switch (leadership) {
    case 'leading':
      return `leads: holds the Lease ${lease}`;
    case 'standby':
      return `stands by: ${holder} holds the Lease ${lease}`;
    case 'lost':
      return `has lost the lead: could not renew the Lease ${lease} in time, or another process holds it`;
  }
}

/** A try that takes too long is cut by us. */
function reasonOf({ kind, why }: KubeError): string {
  return kind === 'aborted' ? 'the server does not answer' : why;
}
