import type { RoleName } from '../../../src/commands/role/role.ts';
import type { Instant } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { Law } from '../law.ts';
import { holderOf, transitionsOf } from './lease-holder.ts';
import { leaseDuration, LeasesKnown } from './leases-known.ts';
import { roleOf } from './seed-write.ts';

/**
 * A Lease is let go by its holder alone, and taken from another only when that one has not renewed for as long as a Lease lasts. Renewals of a history
 * that a restored backup undid count as well: who made them may not know it yet. They do not count for a candidate that saw, 15 s before, the very version that the backup brought back. A renewal is no transition.
 */
export const leaseProtocol: Law = {
  name: 'S6 8 a Lease is let go by its holder, and taken when it has run out',
  begin() {
    /** When each process last put its own name into the Lease of its role, unless it let it go since. */
    const claims: Record<RoleName, Map<string, Instant>> = { prober: new Map(), weeder: new Map() };
    const known = new LeasesKnown();
    const counts = { 'Leases let go': 0, 'Leases taken from another': 0 };
    return {
      hear(observation) {
        known.hear(observation);
        if (observation.kind !== 'change' || observation.of !== kinds.lease) return undefined;
        const { revision, previous, writer } = observation.change;
        if (writer === undefined) return undefined;
        const { user, sentAt } = writer;
        const own = claims[roleOf(user)];
        const former = holderOf(previous?.object);
        const holder = holderOf(revision.object);
        if (holder === '') {
          own.delete(user);
          counts['Leases let go'] += 1;
          return former === '' || former === user ? undefined : `${user} let the Lease of ${former} go`;
        }
        if (holder === former && transitionsOf(revision.object) !== transitionsOf(previous?.object))
          return `${user} counted a transition of a Lease that ${holder} goes on holding`;
        const before = own.get(holder) ?? -Infinity;
        own.set(holder, sentAt);
        // What was let go is free; after a restore nobody who has just begun can know that it is not.
        if (former === '') return undefined;
        if (former !== holder) counts['Leases taken from another'] += 1;
        if (known.hasRunOut(previous?.object, holder, sentAt)) return undefined;
        for (const [other, at] of own)
          // A backup may show the name of one who held it before another did.
          if (other !== holder && (former !== holder || at > before) && sentAt - at < leaseDuration)
            return `${holder} took the Lease ${Math.round(sentAt - at)} ms after ${other} had renewed it`;
        return undefined;
      },
      counts: () => counts,
    };
  },
};
