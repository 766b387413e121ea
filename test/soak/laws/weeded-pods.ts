import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { asObject, type JsonObject } from '../../../src/simulator/store/kube-object.ts';
import type { Law } from '../law.ts';
import { roleOf } from './seed-write.ts';

/** A pod that the weeder deletes crash-loops in that very moment, whatever the weeder has seen of it; it deletes nothing else. */
export const weededPods: Law = {
  name: 'S8 7.3 only crash-looping pods go',
  begin() {
    let deletions = 0;
    return {
      hear(observation) {
        if (observation.kind !== 'change') return undefined;
        const { change, of } = observation;
        const ours = change.writer !== undefined && roleOf(change.writer.user) === 'weeder';
        if (of !== kinds.pod)
          return ours && of !== kinds.lease
            ? `${change.writer?.user} wrote ${of.plural}/${change.revision.key}`
            : undefined;
        if (!ours) return undefined;
        deletions += 1;
        if (isLooping(change.previous?.object ?? change.revision.object)) return undefined;
        return `${change.writer?.user} deleted ${change.revision.key}, which was not crash-looping`;
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
