import type { LeaseAccount } from '../../domain/prober/lease-account.ts';
import type { Instant, Millis } from '../../domain/time.ts';
import type { ShootCommands, ShootNote } from '../../machines/shoot-language.ts';
import { leftOutWords } from '../words/lease-words.ts';
import type { LogFields } from './log.ts';

/** The numbers that a verdict was found by. */
export function numbersOf(verdict: Extract<ShootNote, { kind: 'verdict' }> | undefined, at: Instant): LogFields {
  if (verdict === undefined) return {};
  const { expired, candidates, crossedAt } = verdict;
  return {
    verdict: verdict.verdict,
    expired,
    candidates,
    ...(crossedAt === undefined ? {} : { sinceThresholdMs: at - crossedAt }),
  };
}

/** Which leases speak for a verdict: the first ten of each, and how many there are of those that no other field counts (SPEC 9.4). */
export function accountFields(account: LeaseAccount | undefined): LogFields {
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

/** What a write changes. */
export function writeFields({ seen, change }: ShootCommands['scale'], tookMs: Millis): LogFields {
  const { replicas, mark, record } = change;
  return {
    ...(replicas === undefined ? {} : { fromReplicas: seen.replicas, toReplicas: replicas }),
    ...(mark === undefined ? {} : { mark }),
    ...(record === undefined ? {} : { record: record ?? 'removed' }),
    tookMs,
  };
}
