import { asObject } from '../../../src/simulator/store/kube-object.ts';
import { workloadNumbers } from '../../../src/simulator/store/workload-status.ts';
import type { Law } from '../law.ts';

const mark = 'dependency-watchdog.gardener.cloud/meltdown-protection-active';
const record = 'dependency-watchdog.gardener.cloud/replicas';

/** What a write of ours may leave in the store. */
export const storeWrites: Law = {
  name: 'S5 no 0 without mark and record',
  begin: () => ({
    hear(observation) {
      if (observation.kind !== 'change' || observation.of.scale === undefined) return undefined;
      const { change, of } = observation;
      if (change.writer === undefined || change.type === 'DELETED') return undefined;
      const { desired } = workloadNumbers(of, change.revision.object);
      const { annotations = {} } = change.revision.object.metadata;
      if (desired > 0 || (mark in annotations && Number(annotations[record]) > 0)) return undefined;
      return `${change.writer.user} left ${change.revision.key} at 0 with ${JSON.stringify(asObject(annotations))}`;
    },
  }),
};
