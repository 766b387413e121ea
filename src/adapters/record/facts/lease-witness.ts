import { leasesByLook, lookOf, type Look } from '../../../domain/prober/candidates.ts';
import type { ClusterView } from '../../../domain/prober/cluster-view.ts';
import { accountExpired, accountLook, type LeaseAccount } from '../../../domain/prober/odd-leases.ts';
import { leasePolicyOf, expiryFraction } from '../../../domain/prober/verdict.ts';
import type { ProberConfig } from '../../../domain/prober/prober-config.ts';
import { seeLeases, type SeenLease } from '../../../domain/prober/node-lease.ts';
import type { Instant, Millis } from '../../../domain/time.ts';
import type { ShootNamespace } from '../../../domain/names.ts';
import type { ShootTurn } from '../../../effects/turn.ts';

/** Which leases speak for a verdict, how old a lease is that counts as expired, and how many such verdicts in a row it takes. */
export type Witnessed = Readonly<{ account: LeaseAccount; expiry: Millis; failureThreshold: number }>;

/** A turn, as far as it tells of leases; one of a journal has no snapshots. */
type WitnessedTurn = Pick<ShootTurn, 'event'> & Readonly<{ before?: ShootTurn['before']; after?: ShootTurn['after'] }>;

type Answered = Readonly<{ askedAt: Instant; clockSet: number; leases: readonly SeenLease[] }>;
type Looked = Readonly<{ nonCandidates: readonly string[]; account: Omit<LeaseAccount, 'expired'> }>;

/**
 * Tells from the turns of one shoot which leases spoke for its last verdict (SPEC 9.4), as the log told it then. A journal has no snapshots, so
 * its leases are put on our clock again, probe by probe; a turn as it is taken has them, and costs nothing.
 */
export function leaseWitness() {
  let config: ProberConfig | undefined;
  let cluster: ClusterView | null = null;
  let answered: Answered | undefined;
  let looked: Looked | undefined;

  return {
    /** Every turn of the shoot must pass, in order. */
    observe({ event, before, after }: WitnessedTurn): void {
      if (event.type === 'started') {
        ({ config } = event.input);
        answered = looked = undefined;
      }
      if (after !== undefined) {
        const { seen } = after.context;
        ({ config, cluster } = after.context);
        answered = seen ?? undefined;
        if (seen === null || seen.lookedAt === null) looked = undefined;
        else if (event.type === 'candidates.answered') look(event, seen.nonCandidates);
        return;
      }
      if (before !== undefined) ({ config, cluster } = before.context);
      if (event.type === 'cluster.changed' && event.reading.readable) ({ cluster } = event.reading);
      if (event.type === 'probe.answered') {
        const { askedAt, clockSet = 0 } = event;
        const before = answered?.clockSet === clockSet ? answered : null;
        answered = { askedAt, clockSet, leases: seeLeases(event.leases, event, before) };
      }
      if (event.type !== 'candidates.answered') return;
      if (event.cluster?.outcome === 'read' && event.cluster.reading.readable) ({ cluster } = event.cluster.reading);
      look(event);
    },
    /** Undefined where the journal does not tell by what was judged. */
    account(): Witnessed | undefined {
      if (answered === undefined || config === undefined) return undefined;
      const { grace } = leasePolicyOf(cluster, config);
      const { askedAt, leases } = answered;
      return {
        account: {
          expired: accountExpired(leases, looked?.nonCandidates ?? [], { askedAt, grace }),
          ...looked?.account,
        },
        expiry: expiryFraction * grace,
        failureThreshold: config.failureThreshold,
      };
    },
  };

  function look(shown: Pick<Look, 'nodes' | 'machines'>, nonCandidates?: readonly string[]): void {
    if (answered === undefined || config === undefined) return;
    const { leases } = answered;
    const seen = lookOf(shown, { cluster, config });
    looked = {
      nonCandidates: nonCandidates ?? leasesByLook(leases, seen).leftOut.map(({ node }) => node),
      account: accountLook(leases, seen),
    };
  }
}

/** The same of all shoots, as the log names them. Who was left out is told where it may have decided. */
export function leaseAccounts() {
  const witnesses = new Map<ShootNamespace, ReturnType<typeof leaseWitness>>();
  return {
    /** Every turn of a shoot must pass, in order. */
    observe(turn: ShootTurn): void {
      const { subject: shoot, event } = turn;
      if (event.type === 'ended') {
        witnesses.delete(shoot);
        return;
      }
      let witness = witnesses.get(shoot);
      if (witness === undefined) witnesses.set(shoot, (witness = leaseWitness()));
      witness.observe(turn);
    },
    /** Which leases speak for the verdict of this turn; undefined where it has none. */
    of({ subject: shoot, notes }: ShootTurn): LeaseAccount | undefined {
      const verdict = notes.find((note) => note.kind === 'verdict');
      const account = verdict === undefined ? undefined : witnesses.get(shoot)?.account()?.account;
      return account !== undefined && verdict?.verdict === 'connected' ? { expired: account.expired } : account;
    },
  };
}

/** The expired leases that counted in the last verdict; undefined before the first one. */
export function expiredIn({ after }: ShootTurn): LeaseAccount['expired'] | undefined {
  if (after === undefined || after.context.seen === null) return undefined;
  const { seen, cluster, config } = after.context;
  const { grace } = leasePolicyOf(cluster, config);
  return accountExpired(seen.leases, seen.nonCandidates, { askedAt: seen.askedAt, grace });
}
