import { nodeConditionsOf } from '../../domain/prober/candidates.ts';
import { accountExpired, accountLook, type LeaseAccount, type LookAccount } from '../../domain/prober/odd-leases.ts';
import { leasePolicyOf } from '../../domain/prober/verdict.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import { leftOutWords } from '../words/lease-words.ts';

/** The expired leases that counted in the last verdict; undefined before the first one. */
export function expiredIn({ after }: ShootTurn): LeaseAccount['expired'] | undefined {
  if (after === undefined || after.context.seen === null) return undefined;
  const { seen, cluster, config } = after.context;
  const { grace } = leasePolicyOf(cluster, config);
  return accountExpired(seen.leases, seen.nonCandidates, { askedAt: seen.askedAt, grace });
}

export type LeaseAccounts = Readonly<{
  /** Every turn of a shoot must pass, in order. */
  observe(turn: ShootTurn): void;
  /** Which leases speak for the verdict of this turn; undefined where it has none. Who was left out is told where it may have decided. */
  of(turn: ShootTurn): LeaseAccount | undefined;
}>;

/**
 * Remembers what the last look of each shoot left out (SPEC 9.4). The machine keeps no more than it decides by, and the look may be some probes older than
 * the verdict that goes by it. A probe without a look costs nothing here.
 */
export function leaseAccounts(): LeaseAccounts {
  const looks = new Map<ShootNamespace, LookAccount>();
  return {
    observe({ subject, event, after }) {
      if (event.type === 'ended' || after?.context.seen?.lookedAt === null) looks.delete(subject);
      else if (event.type === 'candidates.answered' && after?.context.seen) {
        const { seen, cluster } = after.context;
        const { nodes, machines } = event;
        const unhealthyConditions = nodeConditionsOf(cluster?.workers ?? []);
        looks.set(subject, accountLook(seen.leases, { nodes, machines, unhealthyConditions }));
      }
    },
    of(turn) {
      const verdict = turn.notes.find((note) => note.kind === 'verdict');
      const expired = verdict === undefined ? undefined : expiredIn(turn);
      if (expired === undefined) return undefined;
      return verdict?.verdict === 'connected' ? { expired } : { expired, ...looks.get(turn.subject) };
    },
  };
}

/** Which leases speak for a verdict: the first ten of each, and how many there are of those that no other field counts (SPEC 9.4). */
export function accountFields(account: LeaseAccount | undefined): Readonly<Record<string, unknown>> {
  if (account === undefined) return {};
  const { expired, leftOut, withoutLease } = account;
  return {
    ...(expired.count === 0
      ? {}
      : { expiredLeases: expired.first.map(({ node, silent }) => ({ node, silentMs: silent })) }),
    ...(leftOut === undefined || leftOut.count === 0
      ? {}
      : {
          leftOut: leftOut.first.map(({ node, ...why }) => ({ node, why: leftOutWords(why) })),
          leftOutCount: leftOut.count,
        }),
    ...(withoutLease === undefined || withoutLease.count === 0
      ? {}
      : { withoutLease: withoutLease.first, withoutLeaseCount: withoutLease.count }),
  };
}
