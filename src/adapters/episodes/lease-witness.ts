import type { JournalTurnOf } from '../journal/journal-line.ts';
import { findCandidates, nodeConditionsOf } from '../../domain/prober/candidates.ts';
import type { ClusterView } from '../../domain/prober/cluster-view.ts';
import { accountExpired, accountLook, type LeaseAccount } from '../../domain/prober/lease-account.ts';
import { leasePolicyOf } from '../../domain/prober/lease-policy.ts';
import type { ProberConfig } from '../../domain/prober/prober-config.ts';
import { seeLeases, type SeenLease } from '../../domain/prober/seen-lease.ts';
import { clockDifference } from '../../domain/prober/served-date.ts';
import type { Instant } from '../../domain/time.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';

type Answered = Readonly<{ askedAt: Instant; leases: readonly SeenLease[] }>;
type Looked = Readonly<{ nonCandidates: readonly string[]; account: Omit<LeaseAccount, 'expired'> }>;

/** Tells from the recorded events of one shoot which leases spoke for its last verdict (SPEC 9.4), as the log told it then. */
export function leaseWitness() {
  let config: ProberConfig | undefined;
  let cluster: ClusterView | null = null;
  let answered: Answered | undefined;
  let looked: Looked | undefined;

  return {
    /** Every turn of the shoot must pass, in order. */
    observe({ event, before }: Pick<JournalTurnOf<ShootLanguage>, 'event' | 'before'>): void {
      if (before !== undefined) ({ config, cluster } = before.context);
      if (event.type === 'started') {
        ({ config } = event.input);
        answered = looked = undefined;
      }
      if (event.type === 'cluster.changed' && event.reading.readable) ({ cluster } = event.reading);
      if (event.type === 'probe.answered') {
        const { leases, served, askedAt } = event;
        answered = { askedAt, leases: seeLeases(leases, clockDifference(served), answered ?? null) };
      }
      if (event.type !== 'candidates.answered' || answered === undefined) return;
      if (event.cluster?.outcome === 'read' && event.cluster.reading.readable) ({ cluster } = event.cluster.reading);
      const { leases } = answered;
      const unhealthyConditions = nodeConditionsOf(cluster?.workers ?? []);
      const look = { nodes: event.nodes, machines: event.machines, unhealthyConditions };
      const telling = new Set(findCandidates(leases, look).map(({ node }) => node));
      const nonCandidates = leases.map(({ node }) => node).filter((node) => !telling.has(node));
      looked = { nonCandidates, account: accountLook(leases, look) };
    },
    /** Undefined where the journal does not tell by what was judged. */
    account(): LeaseAccount | undefined {
      if (answered === undefined || config === undefined) return undefined;
      const { grace } = leasePolicyOf(cluster, config);
      const { askedAt, leases } = answered;
      return { expired: accountExpired(leases, looked?.nonCandidates ?? [], { askedAt, grace }), ...looked?.account };
    },
  };
}
