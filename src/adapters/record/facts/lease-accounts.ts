import { accountExpired, type LeaseAccount } from '../../../domain/prober/odd-leases.ts';
import { leasePolicyOf } from '../../../domain/prober/verdict.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import { leftOutWords } from '../words/lease-words.ts';

/** The expired leases that counted in the last verdict; undefined before the first one. */
export function expiredIn({ after }: ShootTurn): LeaseAccount['expired'] | undefined {
  if (after === undefined || after.context.seen === null) return undefined;
  const { seen, cluster, config } = after.context;
  const { grace } = leasePolicyOf(cluster, config);
  return accountExpired(seen.leases, seen.nonCandidates, { askedAt: seen.askedAt, grace });
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
