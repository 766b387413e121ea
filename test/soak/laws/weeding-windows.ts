import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { KubeObject } from '../../../src/simulator/store/kube-object.ts';
import type { Law } from '../law.ts';
import { holderOf } from './lease-holder.ts';
import { roleOf } from './seed-write.ts';
import { selects, ServicesSeen } from './services-seen.ts';
import { blinding, longestBlindness } from './troubles.ts';

/** A deletion waits for its turn in a lane, and goes to and fro. */
const leastLag: Millis = 3_000;
/** It is noticed within half a minute, unless by the standby that has just begun. */
const lastList: Millis = 330_000;

/** A pod goes while a service that selects it is available, within a window of it, and once; by EndpointSlices and pods in the store. */
export const weedingWindows: Law = {
  name: 'S8 7.2 pods go within a window, and once',
  begin(scene, troubles) {
    const { watchDuration, services: weeded } = scene.weederConfig;
    const services = new ServicesSeen();
    const deletedAt = new Map<string, Instant>();
    const { there, watchLag } = scene.plan.links.seed;
    const lag = leastLag + watchLag[1] + 2 * there[1];
    /** A weeder that starts, goes on or takes the lead gives each available service a window. */
    let beganAt: Instant = -Infinity;
    /** A restored seed is listed again for the last time 5 minutes after it was noticed, and each available service gets a window then (6.6, 7.2). */
    let restoredAt: Instant = -Infinity;
    /** What came as a process stood still it hears after it. */
    const resumedAt = new Map<string, Instant>();
    let judged = 0;

    const wrongIn = (pod: KubeObject, process: string, at: Instant): string | undefined => {
      const { namespace = '', uid, name } = pod.metadata;
      const gap = troubles.has(process, at - watchDuration - longestBlindness, blinding) ? longestBlindness : lag;
      const before = deletedAt.get(uid);
      if (before !== undefined && at - before > gap) return `${name} ${at - before} ms after it had been deleted`;
      const behind = weeded
        .filter((service) => selects(service, pod))
        .map((service) => services.get(namespace, service.name));
      const wokeAt = resumedAt.get(process) ?? -Infinity;
      if (!behind.some((service) => service !== undefined && at - Math.max(service.downAt, wokeAt) <= gap))
        return `${name} while no service was available that it depends on`;
      // After a gap a window may have begun anew: nobody knows from here.
      if (gap === longestBlindness) return undefined;
      judged += 1;
      const listedAt = Math.min(at, restoredAt + lastList);
      const opened = Math.max(beganAt, listedAt, ...behind.map((service) => service?.upAt ?? -Infinity));
      return at - opened <= watchDuration + gap ? undefined : `${name} ${at - opened} ms after the last window opened`;
    };

    return {
      hear(observation) {
        services.hear(observation);
        const { at } = observation;
        if (observation.kind === 'process' && observation.slot.startsWith('weeder')) beganAt = at;
        if (observation.kind === 'process' && observation.did === 'resumed') resumedAt.set(observation.process, at);
        if (observation.kind === 'happening' && observation.happening.kind.startsWith('etcd restored')) restoredAt = at;
        if (observation.kind !== 'change') return undefined;
        const { of, change } = observation;
        const { object } = change.revision;
        const process = change.writer?.user ?? '';
        const isWeeder = process !== '' && roleOf(process) === 'weeder';
        if (of === kinds.lease && isWeeder && holderOf(object) !== holderOf(change.previous?.object)) beganAt = at;
        if (of !== kinds.pod) return undefined;
        // What a backup has brought back may go again.
        if (!isWeeder && change.type !== 'DELETED' && object.metadata.deletionTimestamp === undefined)
          deletedAt.delete(object.metadata.uid);
        if (!isWeeder) return undefined;
        const wrong = wrongIn(object, process, change.writer?.sentAt ?? at);
        if (!deletedAt.has(object.metadata.uid)) deletedAt.set(object.metadata.uid, at);
        return wrong && `${process} deleted ${wrong}`;
      },
      counts: () => ({ 'pods weeded within a window': judged }),
    };
  },
};
