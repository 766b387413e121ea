import type { RoleName } from '../../../src/commands/role/role.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { asObject } from '../../../src/simulator/store/kube-object.ts';
import type { Law } from '../law.ts';
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
    // The deadline is measured by the steady clock of the process, which may drift.
    const longest = renewDeadline * (1 + 2 * plan.clocks.drift) + 1;
    return {
      hear(observation) {
        if (observation.kind === 'change' && observation.of === kinds.lease) {
          const { revision, writer, type } = observation.change;
          if (writer === undefined || type === 'DELETED') return undefined;
          const { holderIdentity } = asObject(revision.object['spec']);
          claims[roleOf(writer.user)] = { holder: String(holderIdentity), sentAt: writer.sentAt };
          return undefined;
        }
        const write = seedWriteOf(observation);
        if (write === undefined || !(plan.election || plan.replicas[write.role] > 1)) return undefined;
        const claim = claims[write.role];
        if (claim?.holder !== write.process)
          return `${write.process} wrote ${write.path} while ${claim?.holder || 'nobody'} held the Lease`;
        const age = observation.at - claim.sentAt;
        return age < longest ? undefined : `${write.process} wrote ${write.path} ${age} ms after its last renewal`;
      },
    };
  },
};
