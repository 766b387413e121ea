import { podOf } from '../../adapters/record/episodes/leaders.ts';
import { KubeError } from '../../adapters/kube/kube-error.ts';
import type { KubeClient } from '../../adapters/kube/kube-client.ts';
import type { Instant } from '../../domain/time.ts';
import type { Clock } from '../../effects/ports.ts';
import type { ProcessLead } from '../../adapters/record/journal/journal-kinds.ts';
import { leaderWords, leadingProber, type Leading } from '../leading-prober.ts';
import { leaseNameOf } from '../../adapters/election/lease-record.ts';
import type { RoleName } from '../../domain/names.ts';

/** Who leads, or why that is not known: the Lease may not be readable to somebody who may read all else. */
export type LeaderSeen = (Leading | Readonly<{ is: 'unknown'; problem: string }>) & Readonly<{ lease: string }>;

/** Rejects with KubeError where the seed does not answer. */
export async function seeLeader(
  client: KubeClient,
  clock: Clock,
  namespace: string,
  role: RoleName = 'prober',
): Promise<LeaderSeen> {
  const lease = `${namespace}/${leaseNameOf(role)}`;
  try {
    return { ...(await leadingProber(client, clock, namespace, role)), lease };
  } catch (error) {
    if (!(error instanceof KubeError) || error.kind !== 'status') throw error;
    return { is: 'unknown', problem: error.message, lease };
  }
}

/** What was seen of the lead: the Lease, and the prober that was asked. */
export type LeadSeen = Readonly<{ leader: LeaderSeen; prober?: Readonly<{ address: string; lead?: ProcessLead }> }>;

/** Why no prober is known to lead; undefined where one leads, by its Lease or by its own word. */
export function leadFault({ leader, prober }: LeadSeen): string | undefined {
  if (prober?.lead?.leads === true) return undefined;
  switch (leader.is) {
    case 'led':
      return undefined;
    case 'nobody':
      return 'nobody leads';
    case 'noLease':
      return 'nobody is seen to lead';
    case 'unknown':
      return 'who leads is not known';
  }
}

/** Who leads, in sentences, for above the table. */
export function leaderLines({ leader, prober }: LeadSeen, now: Instant): readonly string[] {
  const asked = prober === undefined ? [] : askedLine(prober, leader);
  return leader.is === 'led' || prober?.lead?.leads !== true ? [leaderLine(leader, 'prober', now), ...asked] : asked;
}

/** What follows for what a role looks after, where its Lease tells of no leader. */
const withoutLeader: Readonly<Record<RoleName, Readonly<{ nobody: string; noLease: string; unknown: string }>>> = {
  prober: {
    nobody: 'No shoot is watched now.',
    noLease:
      'No shoot counts as watched. A prober that runs without an election is asked with --prober; one that elects in another namespace, with --leader-election-namespace.',
    unknown: ', so no shoot counts as watched',
  },
  weeder: {
    nobody: 'No pod is deleted now.',
    noLease:
      'A weeder that elects in another namespace is seen with --leader-election-namespace; one without an election is not.',
    unknown: '',
  },
};

/** What a role's Lease tells of who leads, in a sentence and what follows. */
export function leaderLine(leader: LeaderSeen, role: RoleName, now: Instant): string {
  const follows = withoutLeader[role];
  switch (leader.is) {
    case 'led': {
      const { leads } = leaderWords(leader, leader.lease.slice(0, leader.lease.indexOf('/')), now, role);
      return `${leads.charAt(0).toUpperCase()}${leads.slice(1)}`;
    }
    case 'nobody':
      return `Nobody leads: the Lease ${leader.lease} has no holder that renewed it lately. ${follows.nobody}`;
    case 'noLease':
      return `Nobody is seen to lead: there is no Lease ${leader.lease}. ${follows.noLease}`;
    case 'unknown':
      return `Who leads is not known${follows.unknown}: ${leader.problem}`;
  }
}

/** What the asked prober says of its own lead, where the Lease does not say it already. */
function askedLine({ address, lead }: NonNullable<LeadSeen['prober']>, leader: LeaderSeen): readonly string[] {
  if (lead === undefined || (lead.leads && leader.is === 'led')) return [];
  const { leads, elects } = lead;
  if (leads) return [`The prober at ${address} says that it leads${elects ? '' : ', without an election'}.`];
  if (!elects) return [`The prober at ${address} runs without an election, and sees nothing of the seed.`];
  const ask = leader.is === 'led' ? ` Ask the pod ${podOf(leader.holder)}, which leads.` : '';
  return [`The prober at ${address} is a standby: it knows nothing of the shoots.${ask}`];
}
