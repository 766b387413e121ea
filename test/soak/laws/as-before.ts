import { isDeepStrictEqual } from 'node:util';
import { readCluster } from '../../../src/domain/prober/cluster-reading.ts';
import { judgeLifecycle } from '../../../src/domain/prober/cluster-view.ts';
import { readRecord } from '../../../src/domain/prober/due-change.ts';
import { readResource } from '../../../src/domain/prober/resource-view.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { type ResourceKind, workloadNumbers } from '../../../src/simulator/store/resource-kind.ts';
import type { Law } from '../law.ts';
import type { Scene } from '../scene.ts';

const scalable = Object.values<ResourceKind>(kinds).filter(({ scale }) => scale !== undefined);

/** Once calm has lasted: every dependant of a probed shoot is up again, as it was unless somebody else changed it, and bears no mark. */
export const asBefore: Law = {
  name: 'L1 all is as before',
  begin(scene) {
    const first = new Map(eachDependant(scene).map(({ key, replicas }) => [key, replicas]));
    /** What an operator or gardenlet scaled or annotated has its own story. */
    const changedByOthers = new Set<string>();
    return {
      hear(observation) {
        if (observation.kind !== 'change' || observation.of.scale === undefined) return undefined;
        const { change, of } = observation;
        if (change.writer !== undefined) return undefined;
        const { object } = change.revision;
        const key = `${of.plural}/${change.revision.key}`;
        const previous = change.previous?.object;
        if (
          change.type !== 'MODIFIED' ||
          previous === undefined ||
          workloadNumbers(of, object).desired !== workloadNumbers(of, previous).desired ||
          !isDeepStrictEqual(object.metadata.annotations, previous.metadata.annotations)
        )
          changedByOthers.add(key);
        return undefined;
      },
      settled() {
        if (!scene.slots.some(({ role }) => role === 'prober')) return undefined;
        for (const { key, shoot, replicas, ready, view } of eachDependant(scene)) {
          if (view.ignored || !isProbed(scene, shoot)) continue;
          const told = `${key} has ${replicas} replicas, ${ready} of them ready, ${JSON.stringify(view)}`;
          if (view.marked) return `a mark is left: ${told}`;
          if (changedByOthers.has(key)) continue;
          if (replicas !== first.get(key) || ready < replicas) return `it had ${first.get(key)}: ${told}`;
          if (readRecord(view.record) !== undefined) return `a record is left: ${told}`;
        }
        return undefined;
      },
    };
  },
};

function eachDependant({ seed, config }: Scene) {
  const names = new Set(config.dependants.map(({ ref }) => ref.name));
  return scalable.flatMap((kind) =>
    seed.api.storage.store
      .of(kind)
      .list()
      .filter(({ object }) => names.has(object.metadata.name))
      .map(({ key, object }) => {
        const { desired, ready } = workloadNumbers(kind, object);
        return {
          key: `${kind.plural}/${key}`,
          shoot: object.metadata.namespace ?? '',
          replicas: desired,
          ready,
          view: readResource(object),
        };
      }),
  );
}

/** A shoot that 3.1 and 3.2 have probed whoever starts anew. */
function isProbed({ seed }: Scene, shoot: string): boolean {
  const cluster = seed.api.storage.store.of(kinds.cluster).get(shoot);
  const reading = cluster === undefined ? undefined : readCluster(cluster.object);
  return reading?.readable === true && judgeLifecycle(reading.cluster).kind === 'start';
}
