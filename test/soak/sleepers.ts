import type { ShootNamespace } from '../../src/domain/names.ts';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import { createObject, type Storage } from '../../src/simulator/store/object-writes.ts';
import { clusterObject } from '../../src/simulator/shoot/shoot-objects.ts';
import { editObject } from '../../src/simulator/store/object-edits.ts';

/** Shoots that are hibernated for good. */
export function sleeperNames(count: number): readonly ShootNamespace[] {
  return Array.from({ length: count }, (_, index) => `shoot--resting--${String(index + 1).padStart(2, '0')}`);
}

/** Adds so many Clusters of them, so that a list of Clusters takes more than one page. Nothing else of them is there. */
export function addSleepers(storage: Storage, count: number): void {
  for (const name of sleeperNames(count)) {
    createObject(storage, kinds.cluster, clusterObject(name));
    editObject(storage, kinds.cluster, name, {
      spec: { shoot: { spec: { hibernation: { enabled: true } }, status: { hibernated: true } } },
    });
  }
}
