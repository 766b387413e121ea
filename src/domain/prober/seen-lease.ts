import type { NodeLease } from './node-lease.ts';
import type { Instant, Millis } from '../time.ts';

/** A lease as it is judged: `renewedAt` by our own clock (SPEC 5.1). */
export type SeenLease = NodeLease &
  Readonly<{
    /** `renewTime` as it stands in the shoot, whoever's clock wrote it. */
    told: Instant | null;
    /** It was seen to move since a question that was asked at this instant. */
    movedAt?: Instant;
  }>;

/** What the last answered probe showed, and when it was asked; null before the first. */
export type LeasesBefore = Readonly<{ leases: readonly SeenLease[]; leasesAt: Instant | null }>;

/**
 * Puts what a probe was told on our clock (SPEC 5.1). `ahead`: by how much the shoot's clock is ahead of ours. Whether
 * kubelets still renew is all that matters in the end: a lease that moved on between two probes was renewed after the
 * first of them was asked, whatever its kubelet's clock made of it. One that went back, as in a restored shoot, proves nothing.
 */
export function seeLeases(told: readonly NodeLease[], ahead: Millis, before: LeasesBefore): readonly SeenLease[] {
  const { leasesAt } = before;
  const known = new Map(before.leases.map((lease) => [lease.node, lease]));
  return told.map(({ node, renewedAt }) => {
    if (renewedAt === null) return { node, renewedAt, told: null };
    const earlier = known.get(node);
    const movedAt = movement(renewedAt, earlier, leasesAt);
    const onOurClock = renewedAt - ahead;
    if (movedAt === undefined) return { node, renewedAt: onOurClock, told: renewedAt };
    return { node, renewedAt: Math.max(onOurClock, movedAt), told: renewedAt, movedAt };
  });
}

function movement(told: Instant, earlier: SeenLease | undefined, leasesAt: Instant | null): Instant | undefined {
  if (leasesAt === null || earlier === undefined || earlier.told === null || told < earlier.told) return undefined;
  return told > earlier.told ? leasesAt : earlier.movedAt;
}
