import type { V1LeaseSpec } from '@kubernetes/client-node';
import { numberAt, textAt } from '../../domain/value-at.ts';
import type { RoleName } from '../../domain/names.ts';
import type { Instant } from '../../domain/time.ts';
import type { Raw } from '../kube/raw.ts';

/** Where the Leases of the elections are, unless a flag says otherwise. */
export const usualLeaseNamespace = 'garden';

/** The Lease by which replicas of a role elect their leader, as Gardener grants it (SPEC 8). */
export function leaseNameOf(role: RoleName): string {
  return `dwd-${role}-leader-election`;
}

/** client-go's: a candidate waits up to 2.2 retry periods, so that candidates do not try at the same time. */
export const jitterFactor = 1.2;

/** A greater count is refused by the server, and nobody would ever lead again. */
export const mostTransitions = 2 ** 31 - 1;

type LeaseSpec = Raw<V1LeaseSpec>;

/**
 * The spec of an election's Lease, where client-go writes its record (SPEC 8). The holder is empty where the Lease was released. The
 * time of another holder is never interpreted, only compared.
 */
export type LeaseRecord = Readonly<
  Required<
    Pick<LeaseSpec, 'holderIdentity' | 'leaseDurationSeconds' | 'acquireTime' | 'renewTime' | 'leaseTransitions'>
  >
>;

/** Reads a Lease of `coordination.k8s.io/v1`. A missing field reads as empty, so a bare Lease is free to take. */
export function readLeaseRecord(lease: unknown): LeaseRecord {
  return {
    holderIdentity: textAt(lease, 'spec', 'holderIdentity'),
    leaseDurationSeconds: numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 0,
    acquireTime: textAt(lease, 'spec', 'acquireTime'),
    renewTime: textAt(lease, 'spec', 'renewTime'),
    leaseTransitions: numberAt(lease, 'spec', 'leaseTransitions') ?? 0,
  };
}

/** An instant as Go writes a MicroTime: always with six digits, since Go's reader refuses anything else. */
export function microTime(at: Instant): string {
  const whole = Math.floor(at);
  const micros = String(Math.floor((at - whole) * 1_000)).padStart(3, '0');
  return new Date(whole).toISOString().replace('Z', `${micros}Z`);
}

/** A record, and when this process last saw it change. The clocks of other processes are never trusted (SPEC 8). */
export type ObservedLease = Readonly<{ record: LeaseRecord; seenAt: Instant }>;

/** A record that has not changed keeps the time at which it was first seen. `now` is when the answer had arrived. */
export function observeLease(before: ObservedLease | undefined, record: LeaseRecord, now: Instant): ObservedLease {
  const same = before !== undefined && JSON.stringify(before.record) === JSON.stringify(record);
  return same ? before : { record, seenAt: now };
}

/** Until then only the holder may write it; long past for a released Lease. */
export function heldUntil({ record, seenAt }: ObservedLease): Instant {
  return record.holderIdentity === '' ? -Infinity : seenAt + record.leaseDurationSeconds * 1_000;
}
