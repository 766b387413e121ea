import type { NodeLease } from './node-lease.ts';
import type { Instant, Millis } from '../time.ts';

/** A lease as it is judged: `renewedAt` by our own clock (SPEC 5.1). */
export type SeenLease = NodeLease &
  Readonly<{
    /** `renewTime` as it stands in the shoot, whoever's clock wrote it. */
    told: Instant | null;
    /** It has moved since a probe that was asked at this instant. */
    movedAt?: Instant;
  }>;

/** What the last answered probe showed, and when it was asked. */
type LeasesBefore = Readonly<{ leases: readonly SeenLease[]; askedAt: Instant }>;

/**
 * Puts the leases of a probe on our clock (SPEC 5.1). `ahead`: by how much the shoot's clock is ahead of ours. `before`:
 * null where no probe was answered yet. All that matters is whether kubelets still renew: a lease that moved between two
 * probes was renewed after the first of them was asked, whatever its kubelet's clock says. A lease that went back, as in
 * a restored shoot, proves nothing.
 */
export function seeLeases(
  told: readonly NodeLease[],
  ahead: Millis,
  before: LeasesBefore | null,
): readonly SeenLease[] {
  const known = new Map(before?.leases.map((lease) => [lease.node, lease]));
  return told.map(({ node, renewedAt }) => {
    if (renewedAt === null) return { node, renewedAt, told: null };
    const earlier = known.get(node);
    const movedAt = before === null ? undefined : movement(renewedAt, earlier, before.askedAt);
    const onOurClock = renewedAt - ahead;
    if (movedAt === undefined) return { node, renewedAt: onOurClock, told: renewedAt };
    return { node, renewedAt: Math.max(onOurClock, movedAt), told: renewedAt, movedAt };
  });
}

function movement(told: Instant, earlier: SeenLease | undefined, askedAt: Instant): Instant | undefined {
  if (earlier === undefined || earlier.told === null || told < earlier.told) return undefined;
  return told > earlier.told ? askedAt : earlier.movedAt;
}
