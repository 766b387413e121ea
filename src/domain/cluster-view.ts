import type { Millis } from './time.ts';

/** What is kept of one `clusters.extensions.gardener.cloud/v1alpha1` (SPEC 3); everything else in it is dropped while parsing. */
export type ClusterView = Readonly<{
  deleting: boolean;
  hibernationEnabled: boolean;
  hibernated: boolean;
  /** Absent where there is none, or its type is empty. */
  lastOperation?: Readonly<{ type: string; state: string }>;
  workers: readonly Readonly<{ name: string; nodeConditions?: readonly string[] }>[];
  /** `spec.kubernetes.kubeControllerManager.nodeMonitorGracePeriod` (SPEC 3.3). */
  nodeMonitorGrace?: Millis;
}>;

/** A Cluster, or why it could not be read (SPEC 3.4): a sentence that names the place. */
export type ClusterReading =
  | Readonly<{ readable: true; cluster: ClusterView }>
  | Readonly<{ readable: false; problem: string }>;
