import { counted, seconds } from '../../adapters/words/plain-words.ts';
import type { ClusterView } from '../../domain/prober/cluster-view.ts';
import { leasePolicyOf } from '../../domain/prober/lease-policy.ts';
import { crossingAfter } from '../../domain/prober/probe-schedule.ts';
import { isExpired } from '../../domain/prober/verdict.ts';
import { isCurrentProbe, recordAnswer } from '../../machines/probing.ts';
import { isAnythingDue } from '../../machines/shielding.ts';
import { leasePolicy, mayBeScaledDown, type MachineEvent, type ShootContext } from '../../machines/shoot-context.ts';
import type { Fact } from './explanation.ts';
import { fact, instantFact, namesWords, yesOrNo } from './guard-facts.ts';

/** By what leases are judged, before and after (SPEC 3.3). */
export function policyFacts({ cluster, config }: ShootContext, event: MachineEvent): readonly Fact[] {
  if (event.type !== 'cluster.changed') return [];
  if (!event.reading.readable) return [fact('Cluster', 'cannot be read')];
  if (cluster === null) return [fact('before', 'no Cluster was seen')];
  const words = (of: ClusterView) =>
    `grace ${seconds(leasePolicyOf(of, config).grace)}; ${of.workers.map(({ name, nodeConditions }) => `${name}: ${nodeConditions?.join(', ') ?? 'default conditions'}`).join('; ')}`;
  return [fact('before', words(cluster)), fact('after', words(event.reading.cluster))];
}

/** Whether nodes and Machines can change what follows from the answer (SPEC 5.4). */
export function lookFacts(context: ShootContext, event: MachineEvent): readonly Fact[] {
  if (event.type !== 'probe.answered' || !isCurrentProbe(context, event)) return [];
  const now = recordAnswer(context, event);
  const { leases, askedAt, lookedAt, nonCandidates } = now.seen;
  const policy = leasePolicy(now);
  const expired = leases.filter((lease) => isExpired(lease, askedAt, policy.grace)).map(({ node }) => node);
  const crossing = crossingAfter(askedAt, leases, nonCandidates, policy);
  return [
    fact('expired', `${expired.length} of ${counted(leases.length, 'lease')}: ${namesWords(expired)}`),
    yesOrNo('anything may be down', mayBeScaledDown(now)),
    yesOrNo('anything could go down', isAnythingDue(now, 'down')),
    fact('stream of Clusters', now.clusterLive ? 'live' : 'out'),
    lookedAt === null
      ? fact('last look', 'none that tells of every lease')
      : instantFact('last look', lookedAt, askedAt),
    ...(crossing === undefined ? [] : [instantFact('could be cut off', crossing, askedAt)]),
  ];
}
