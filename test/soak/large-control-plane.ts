import { gardenerControlPlane, type PodGroup } from '../../src/simulator/workloads/pod-group.ts';

/** More pods than the weeder deletes at a time (7.3), of a StatefulSet, so that each has the name of the one before it. */
const crowd: readonly PodGroup[] = gardenerControlPlane
  .filter(({ name }) => name === 'kube-scheduler')
  .map((group) => ({ ...group, name: 'extension-controller', replicas: 12, stateful: true }));

/** A control plane in which each endpoint has a slice of its own, for either family of addresses, and a dozen pods wait for the API server. */
export const largeControlPlane: readonly PodGroup[] = [
  ...gardenerControlPlane.map((group) => ({ ...group, dualStack: true, endpointsPerSlice: 1 })),
  ...crowd,
];
