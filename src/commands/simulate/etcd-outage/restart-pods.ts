import type { ControlPlane } from '../../../simulator/control-plane.ts';
import { kinds } from '../../../simulator/embedded-kinds.ts';
import type { EmbeddedSeed } from '../../../simulator/embedded-seed.ts';
import { objectKey } from '../../../simulator/object-key.ts';
import { removeObject } from '../../../simulator/object-writes.ts';

/** New pods take the place of a group's, as if an operator had deleted them. */
export function restartPods(seed: EmbeddedSeed, { namespace, pods }: ControlPlane, group: string): void {
  const { world } = seed.api;
  for (const pod of pods) {
    const current = world.store.of(kinds.pod).get(objectKey(namespace, pod.name));
    if (pod.group === group && current !== undefined) removeObject(world, kinds.pod, current);
  }
}
