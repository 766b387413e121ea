import type { RoleName } from '../../../src/commands/role/role.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { Law } from '../law.ts';
import { holderOf } from './lease-holder.ts';
import { leaseDuration, LeasesKnown, roleOfLease } from './leases-known.ts';
import { roleOf, seedWriteOf } from './seed-write.ts';

/** The default of `--leader-elect-renew-deadline`. */
const renewDeadline: Millis = 10_000;

/** The last time at which a process wrote its own name into the Lease. */
type Claim = Readonly<{ holder: string; sentAt: Instant }>;

/**
 * Whoever sends a write held the Lease in the store at that moment, and its last renewal is not older than the renew deadline. What the processes
 * believe plays no part.
 */
export const onlyLeadersWrite: Law = {
  name: 'S6 only who holds the Lease writes',
  begin({ plan }) {
    const claims: Partial<Record<RoleName, Claim>> = {};
    const known = new LeasesKnown();
    /** When etcd was restored, and the Lease went back to a former state, and who knows from the Lease itself that it did. */
    const wentBack: Partial<Record<RoleName, Readonly<{ at: Instant; knowing: ReadonlySet<string> }>>> = {};
    /** Who led when somebody took a Lease that a backup showed as free, or as run out, and could not know better. Its next renewal tells it. */
    const unaware: Partial<Record<RoleName, Claim | undefined>> = {};
    const counts = { 'writes of leaders': 0, 'Leases taken after they went back': 0 };
    // The deadline is measured by the steady clock of the process, which may drift.
    const longest = renewDeadline * (1 + 2 * plan.clocks.drift) + 1;
    return {
      hear(observation) {
        known.hear(observation);
        if (observation.kind === 'change' && observation.of === kinds.lease) {
          const { revision, previous, writer, type } = observation.change;
          if (writer === undefined) {
            const of = roleOfLease(revision.object.metadata.name);
            const version = type === 'DELETED' ? 0 : Number(revision.object.metadata.resourceVersion);
            // Nobody has led since an earlier restore whose Lease nobody has taken: who led before it is still the last that may not know.
            const earlier = wentBack[of];
            const knowing = known.newerThan(version, of).union(earlier?.knowing ?? new Set<string>());
            wentBack[of] = { at: earlier?.at ?? observation.at, knowing };
          }
          if (writer === undefined || type === 'DELETED') return undefined;
          const role = roleOf(writer.user);
          const claim = { holder: holderOf(revision.object), sentAt: writer.sentAt };
          const former = holderOf(previous?.object);
          const led = claims[role];
          const leader = led?.holder ?? '';
          claims[role] = claim;
          const back = wentBack[role];
          delete wentBack[role];
          // Who led may lead on. Whoever has just begun cannot know that what a backup shows as free is not; nor can whoever saw the same version of it 15 s before.
          const seemsFree = former === '' || known.hasRunOut(previous?.object, claim.holder, claim.sentAt);
          const couldNotKnow = seemsFree && back?.knowing.has(claim.holder) !== true;
          unaware[role] = back !== undefined && couldNotKnow ? led : undefined;
          if (back === undefined || claim.holder === '' || claim.holder === leader || couldNotKnow) return undefined;
          counts['Leases taken after they went back'] += 1;
          return claim.sentAt - back.at >= leaseDuration
            ? undefined
            : `${claim.holder} took the Lease ${claim.sentAt - back.at} ms after it went back, and ${leader || former} may not know yet`;
        }
        const write = seedWriteOf(observation);
        if (write === undefined || !(plan.election || plan.replicas[write.role] > 1)) return undefined;
        counts['writes of leaders'] += 1;
        const claim = claims[write.role];
        const before = unaware[write.role];
        if (before?.holder === write.process && observation.at - before.sentAt < longest) return undefined;
        if (claim?.holder !== write.process)
          return `${write.process} wrote ${write.path} while ${claim?.holder || 'nobody'} held the Lease`;
        const age = observation.at - claim.sentAt;
        return age < longest ? undefined : `${write.process} wrote ${write.path} ${age} ms after its last renewal`;
      },
      counts: () => counts,
    };
  },
};
