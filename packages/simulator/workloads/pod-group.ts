import type { Millis } from 'dependency-watchdog/domain/time.ts';

/** Pods of one kind in a control plane: a Deployment or a StatefulSet, and what its containers live on. */
export type PodGroup = Readonly<{
  name: string;
  labels: Readonly<Record<string, string>>;
  replicas: number;
  /** Pods of a StatefulSet: a new pod has the name of the one before it, and is created only when that one is gone. */
  stateful?: boolean;
  /** The service that its pods stand behind. */
  service?: string;
  /** The service without which its container fails. */
  needs?: string;
  /** From a container's start until it is ready. */
  startTime: Millis;
  /** From a container's start until it exits because it lacks what it needs; 1 s unless given. */
  failsAfter?: Millis;
  /** How long a running container goes on without what it needs. */
  toleratesFor: Millis;
  /** Its kubelet is of 1.33 or later: it says CrashLoopBackOff only when it looks again, after a minute or at the end of a shorter back-off. */
  looksLate?: boolean;
  /**
   * Which container lacks what the pod needs: the main one unless told; a sidecar in its place; or an init container,
   * which waits for it before the main one starts.
   */
  needy?: 'init' | 'sidecar';
  /** Its service has an EndpointSlice for IPv6 beside the one for IPv4. */
  dualStack?: boolean;
  /** How many endpoints go into one slice; 100 unless given. */
  endpointsPerSlice?: number;
}>;

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
