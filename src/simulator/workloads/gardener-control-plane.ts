import type { PodGroup } from './pod-group.ts';

const controlPlane = { 'gardener.cloud/role': 'controlplane' } as const;

/**
 * A controller gives up where it cannot reach its API server within 5 s, or could not renew its lead. The times are those
 * of such programs, rounded.
 */
function controller(name: string, role: string): PodGroup {
  return {
    name,
    labels: { app: 'kubernetes', ...controlPlane, role },
    replicas: 1,
    needs: 'kube-apiserver',
    startTime: 3_000,
    failsAfter: 5_000,
    toleratesFor: 10_000,
  };
}

/** What of a shoot's control plane the weeder's usual configuration speaks of: eight pods, etcd first. */
export const gardenerControlPlane: readonly PodGroup[] = [
  {
    name: 'etcd-main',
    labels: { app: 'etcd-statefulset', ...controlPlane, role: 'main', instance: 'etcd-main' },
    replicas: 1,
    stateful: true,
    service: 'etcd-main-client',
    startTime: 5_000,
    toleratesFor: 0,
  },
  {
    name: 'kube-apiserver',
    labels: { app: 'kubernetes', ...controlPlane, role: 'apiserver' },
    replicas: 2,
    service: 'kube-apiserver',
    needs: 'etcd-main-client',
    startTime: 8_000,
    // Neither its readiness nor its liveness holds without etcd: three probes, 10 s apart.
    failsAfter: 5_000,
    toleratesFor: 30_000,
  },
  controller('kube-controller-manager', 'controller-manager'),
  controller('kube-scheduler', 'scheduler'),
  controller('machine-controller-manager', 'machine-controller-manager'),
  controller('cluster-autoscaler', 'cluster-autoscaler'),
  // No label `role`, so that NotIn is what picks it.
  { ...controller('gardener-resource-manager', ''), labels: { app: 'gardener-resource-manager', ...controlPlane } },
];
