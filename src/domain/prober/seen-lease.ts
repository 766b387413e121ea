import type { NodeLease } from './node-lease.ts';
import type { Instant, Millis } from '../time.ts';

/** A lease as it is judged: `renewedAt` by our own clock (SPEC 5.1). */
export type SeenLease = NodeLease &
  Readonly<{
    /** As it stands in the shoot, whoever's clock wrote it. */
    renewTime: Instant | null;
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
  leases: readonly NodeLease[],
  ahead: Millis,
  before: LeasesBefore | null,
): readonly SeenLease[] {
  const known = new Map(before?.leases.map((lease) => [lease.node, lease]));
  return leases.map(({ node, renewedAt }) => {
    if (renewedAt === null) return { node, renewedAt, renewTime: null };
    const earlier = known.get(node);
    const movedAt = before === null ? undefined : movement(renewedAt, earlier, before.askedAt);
    const onOurClock = renewedAt - ahead;
    if (movedAt === undefined) return { node, renewedAt: onOurClock, renewTime: renewedAt };
    return { node, renewedAt: Math.max(onOurClock, movedAt), renewTime: renewedAt, movedAt };
  });
}

function movement(renewTime: Instant, earlier: SeenLease | undefined, askedAt: Instant): Instant | undefined {
  if (earlier === undefined || earlier.renewTime === null || renewTime < earlier.renewTime) return undefined;
  return renewTime > earlier.renewTime ? askedAt : earlier.movedAt;
}
