import type { Instant } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { Law } from '../law.ts';
import { holderOf } from './lease-holder.ts';
import { isOpen } from '../link.ts';

/** Since a fault a request may be under way that nobody answers. */
const faultsLast = 10_000;
/** A process that takes longer to end has waited for an answer that was slow, and has given it up. */
const answeredWithin = 2_000;

/** A process that ends because it was told to has let its Lease go, wherever it met no fault in doing so: nobody has to wait for it to run out. */
export const leasesLetGo: Law = {
  name: '1.4 who ends lets its Lease go',
  begin(scene) {
    const faultAt = new Map<string, Instant>();
    const toldAt = new Map<string, Instant>();
    const counts = { 'processes that ended as they were told': 0 };
    return {
      hear(observation) {
        const { at } = observation;
        if (observation.kind === 'fault') faultAt.set(observation.process, at);
        if (observation.kind !== 'process') return undefined;
        const { slot, process, did, why } = observation;
        if (did === 'paused' || did === 'resumed') faultAt.set(slot, at);
        if (did === 'told to end') toldAt.set(process, at);
        const way = scene.slot(slot)?.links.seed;
        if (did !== 'ended' || why !== 'SIGTERM' || (way && !isOpen(way)) || way?.slow !== 0) return undefined;
        if (at - (faultAt.get(slot) ?? -Infinity) < faultsLast || !scene.servers().every(({ isWell }) => isWell))
          return undefined;
        if (at - (toldAt.get(process) ?? -Infinity) > answeredWithin) return undefined;
        counts['processes that ended as they were told'] += 1;
        const leases = scene.seed.api.storage.store.of(kinds.lease).list();
        const held = leases.find(({ object }) => holderOf(object) === process);
        return held && `${process} has ended, and ${held.key} still bears its name`;
      },
      counts: () => counts,
    };
  },
};
