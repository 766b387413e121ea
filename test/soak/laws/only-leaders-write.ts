import type { RoleName } from '../../../src/commands/role/role.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { Law } from '../law.ts';
import { holderOf } from './lease-holder.ts';
import { roleOf, seedWriteOf } from './seed-write.ts';

/** The default of `--leader-elect-renew-deadline`. */
const renewDeadline: Millis = 10_000;

/** The default of `--leader-elect-lease-duration`, as a drifting clock may measure it. */
const leaseDuration: Millis = 15_000 * 0.99;

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
    /** When etcd was restored, and the Lease went back to a former state. */
    const wentBackAt: Partial<Record<RoleName, Instant>> = {};
    const counts = { 'writes of leaders': 0, 'Leases taken after they went back': 0 };
    // The deadline is measured by the steady clock of the process, which may drift.
    const longest = renewDeadline * (1 + 2 * plan.clocks.drift) + 1;
    return {
      hear(observation) {
        if (observation.kind === 'change' && observation.of === kinds.lease) {
          const { revision, previous, writer, type } = observation.change;
          if (writer === undefined) wentBackAt[roleOfLease(revision.object.metadata.name)] = observation.at;
          if (writer === undefined || type === 'DELETED') return undefined;
          const role = roleOf(writer.user);
          const claim = { holder: holderOf(revision.object), sentAt: writer.sentAt };
          const former = holderOf(previous?.object);
          const leader = claims[role]?.holder ?? '';
          claims[role] = claim;
          const since = wentBackAt[role];
          // Who led may lead on, and what was given up is free.
          if (since === undefined || claim.holder === '' || former === '' || claim.holder === leader) return undefined;
          delete wentBackAt[role];
          counts['Leases taken after they went back'] += 1;
          return claim.sentAt - since >= leaseDuration
            ? undefined
            : `${claim.holder} took the Lease ${claim.sentAt - since} ms after it went back, and ${leader || former} may not know yet`;
        }
        const write = seedWriteOf(observation);
        if (write === undefined || !(plan.election || plan.replicas[write.role] > 1)) return undefined;
        counts['writes of leaders'] += 1;
        const claim = claims[write.role];
        if (claim?.holder !== write.process)
          return `${write.process} wrote ${write.path} while ${claim?.holder || 'nobody'} held the Lease`;
        const age = observation.at - claim.sentAt;
        return age < longest ? undefined : `${write.process} wrote ${write.path} ${age} ms after its last renewal`;
      },
      counts: () => counts,
    };
  },
};

/** `dwd-prober-leader-election` is the prober's. */
function roleOfLease(name: string): RoleName {
  return name.includes('weeder') ? 'weeder' : 'prober';
}
