import type { LeaseAccount } from '../../domain/prober/lease-account.ts';
import { leftOutWords } from '../words/lease-words.ts';

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
