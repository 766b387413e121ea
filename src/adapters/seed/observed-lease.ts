import type { Instant } from '../../domain/time.ts';
import type { LeaseRecord } from './lease-record.ts';

/** A record, and when this process saw it change for the last time. Nobody else's clock is ever believed (SPEC 8). */
export type ObservedLease = Readonly<{ record: LeaseRecord; seenAt: Instant }>;

/** The same record again is as old as when it was first seen. `now` is when the answer had arrived. */
export function observeLease(before: ObservedLease | undefined, record: LeaseRecord, now: Instant): ObservedLease {
  const same = before !== undefined && JSON.stringify(before.record) === JSON.stringify(record);
  return same ? before : { record, seenAt: now };
}

/** Until when nobody but its holder may write it; long past for one that was released. */
export function heldUntil({ record, seenAt }: ObservedLease): Instant {
  return record.holderIdentity === '' ? -Infinity : seenAt + record.leaseDurationSeconds * 1_000;
}
