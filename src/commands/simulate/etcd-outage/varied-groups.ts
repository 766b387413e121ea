import type { Chance } from '../../../effects/ports.ts';
import { gardenerControlPlane } from '../../../simulator/workloads/gardener-control-plane.ts';
import type { PodGroup } from '../../../simulator/workloads/pod-group.ts';

/**
 * A control plane's pods, each group with times of its own: from half as long to half as long again. In lockstep all of them
 * would come out of their back-offs in one instant, which no seed's do.
 */
export function variedGroups(chance: Chance): readonly PodGroup[] {
  const varied = (length: number): number => Math.round(length * (0.5 + chance()));
  return gardenerControlPlane.map((group) => ({
    ...group,
    startTime: varied(group.startTime),
    failsAfter: varied(group.failsAfter ?? 1_000),
    toleratesFor: varied(group.toleratesFor),
  }));
}
