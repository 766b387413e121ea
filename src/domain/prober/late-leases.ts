import type { Instant, Millis } from '../time.ts';
import type { NodeLease } from './node-lease.ts';

/** So many of the candidates have missed a renewal (SPEC 5.7). */
export type LateLeases = Readonly<{ late: number; candidates: number }>;

/** A kubelet renews four times in a grace. In calm no lease gets as old as half of one, and an outage is decided at three quarters. */
const lateFraction = 0.5;

/** Gardener's own health check speaks at this share of expired leases. One node that died, or is replaced, is no warning. */
const manyFraction = 0.2;
const many = 2;

export function lateLeases(
  candidates: readonly NodeLease[],
  { now, grace }: Readonly<{ now: Instant; grace: Millis }>,
): LateLeases {
  const readable = candidates.filter(({ renewedAt }) => renewedAt !== null);
  const late = readable.filter(({ renewedAt }) => now - (renewedAt ?? now) >= lateFraction * grace);
  return { late: late.length, candidates: readable.length };
}

export function areMany({ late, candidates }: LateLeases): boolean {
  return late >= many && late / candidates >= manyFraction;
}

/** Half of what begins a warning ends it: a share that stands at the limit says nothing twice. */
export function areFew({ late, candidates }: LateLeases): boolean {
  return late === 0 || late / candidates < manyFraction / 2;
}
