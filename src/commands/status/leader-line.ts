import { KubeError } from '../../adapters/kube/kube-error.ts';
import type { KubeClient } from '../../adapters/kube/kube-client.ts';
import type { Instant } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import { leaderWords, leadingProber, type Leading } from '../leading-prober.ts';
import { leaseNameOf } from '../role/role.ts';

/** Who leads, or why that is not known: the Lease may not be readable to somebody who may read all else. */
export type LeaderSeen = (Leading | Readonly<{ is: 'unknown'; problem: string }>) & Readonly<{ lease: string }>;

/** Rejects with KubeError where the seed does not answer. */
export async function seeLeader(client: KubeClient, clock: Clock, namespace: string): Promise<LeaderSeen> {
  const lease = `${namespace}/${leaseNameOf('prober')}`;
  try {
    return { ...(await leadingProber(client, clock, namespace)), lease };
  } catch (error) {
    if (!(error instanceof KubeError) || error.kind !== 'status') throw error;
    return { is: 'unknown', problem: error.message, lease };
  }
}

/** Who leads, in a sentence, for above the table. */
export function leaderLine(leader: LeaderSeen, now: Instant): string {
  switch (leader.is) {
    case 'led': {
      const { leads } = leaderWords(leader, leader.lease.slice(0, leader.lease.indexOf('/')), now);
      return `${leads.charAt(0).toUpperCase()}${leads.slice(1)}`;
    }
    case 'nobody':
      return `Nobody leads: the Lease ${leader.lease} has no holder that renewed it lately. No shoot is protected now.`;
    case 'noLease':
      return `There is no Lease ${leader.lease}: no prober elects there. One may run without election, or elect elsewhere.`;
    case 'unknown':
      return `Who leads is not known: ${leader.problem}`;
  }
}
