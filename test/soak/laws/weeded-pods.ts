import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { asObject, type JsonObject } from '../../../src/simulator/store/kube-object.ts';
import type { Law } from '../law.ts';
import { roleOf } from './seed-write.ts';

/** A watch that says nothing is given up long before. What is older than this nobody may believe. */
const oldest: Millis = 300_000;

/** A pod that the weeder deletes was crash-looping, in the store, a moment ago; it deletes nothing else. */
export const weededPods: Law = {
  name: 'S8 7.3 only crash-looping pods go',
  begin() {
    /** By uid, when the pod was last seen in CrashLoopBackOff. */
    const loopedAt = new Map<string, Instant>();
    let deletions = 0;
    return {
      hear(observation) {
        if (observation.kind !== 'change') return undefined;
        const { change, at, of } = observation;
        const ours = change.writer !== undefined && roleOf(change.writer.user) === 'weeder';
        if (of !== kinds.pod)
          return ours && of !== kinds.lease
            ? `${change.writer?.user} wrote ${of.plural}/${change.revision.key}`
            : undefined;
        const { object, key } = change.revision;
        const { uid } = object.metadata;
        if (isLooping(object) || isLooping(change.previous?.object)) loopedAt.set(uid, at);
        if (!ours) return undefined;
        deletions += 1;
        const age = at - (loopedAt.get(uid) ?? -Infinity);
        return age <= oldest ? undefined : `${change.writer?.user} deleted ${key}, which was not crash-looping`;
      },
      counts: () => ({ 'pods weeded': deletions }),
    };
  },
};

export function isLooping(pod: JsonObject | undefined): boolean {
  const status = asObject(pod?.['status']);
  return ['initContainerStatuses', 'containerStatuses'].some((list) =>
    ((status[list] ?? []) as readonly JsonObject[]).some(
      ({ state }) => asObject(asObject(state)['waiting'])['reason'] === 'CrashLoopBackOff',
    ),
  );
}
