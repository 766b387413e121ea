import type { Millis } from '../../domain/time.ts';

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
