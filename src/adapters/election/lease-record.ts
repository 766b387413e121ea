import { numberAt, textAt } from '../../domain/value-at.ts';
import type { Instant } from '../../domain/time.ts';

/** The spec of an election's Lease, as client-go keeps its record in it (SPEC 8). */
export type LeaseRecord = Readonly<{
  /** Empty where it was released. */
  holderIdentity: string;
  leaseDurationSeconds: number;
  /** MicroTime as text: what another holder wrote is never judged, only compared. */
  acquireTime: string;
  renewTime: string;
  leaseTransitions: number;
}>;

/** Reads a Lease of `coordination.k8s.io/v1`; what is missing reads as empty, so that a bare Lease is free to take. */
export function readLeaseRecord(lease: unknown): LeaseRecord {
  return {
    holderIdentity: textAt(lease, 'spec', 'holderIdentity'),
    leaseDurationSeconds: numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 0,
    acquireTime: textAt(lease, 'spec', 'acquireTime'),
    renewTime: textAt(lease, 'spec', 'renewTime'),
    leaseTransitions: numberAt(lease, 'spec', 'leaseTransitions') ?? 0,
  };
}

/** An instant as Go writes a MicroTime: always six digits, or its own reader refuses it. */
export function microTime(at: Instant): string {
  const whole = Math.floor(at);
  const micros = String(Math.floor((at - whole) * 1_000)).padStart(3, '0');
  return new Date(whole).toISOString().replace('Z', `${micros}Z`);
}

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
