import type { Millis } from '../time.ts';

/** What is kept of one `clusters.extensions.gardener.cloud/v1alpha1` (SPEC 3); everything else in it is dropped while parsing. */
export type ClusterView = Readonly<{
  deleting: boolean;
  hibernationEnabled: boolean;
  hibernated: boolean;
  /** Absent where there is none, or its type is empty. */
  lastOperation?: Readonly<{ type: string; state: string }>;
  workers: readonly Readonly<{ name: string; nodeConditions?: readonly string[] }>[];
  /** A worker pool runs the control plane: this seed is the shoot's own cluster, and no namespace of a control plane is in it (SPEC 3.1). */
  selfHosted?: true;
  /** `spec.kubernetes.kubeControllerManager.nodeMonitorGracePeriod` (SPEC 3.3). */
  nodeMonitorGrace?: Millis;
}>;

/** What a GET of one Cluster was answered with (SPEC 3.5). `gone`: the seed has none of that name. */
export type ClusterAnswer =
  | Readonly<{ outcome: 'read'; reading: ClusterReading }>
  | Readonly<{ outcome: 'gone' }>
  /** `detail` is one line for the operator. */
  | Readonly<{ outcome: 'failed'; detail: string }>;

/** A Cluster, or why it could not be read (SPEC 3.4): a sentence that names the place. */
export type ClusterReading =
  | Readonly<{ readable: true; cluster: ClusterView }>
  | Readonly<{ readable: false; problem: string }>;
