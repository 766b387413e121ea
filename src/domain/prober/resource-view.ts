/** The annotations that the watchdog, gardenlet and operators share (SPEC 6.4, 6.7). */
export const replicasAnnotation = 'dependency-watchdog.gardener.cloud/replicas';
export const markAnnotation = 'dependency-watchdog.gardener.cloud/meltdown-protection-active';
export const ignoreAnnotation = 'dependency-watchdog.gardener.cloud/ignore-scaling';

/** What is kept of a scalable resource, from a watch, a GET, or the answer to our own write. */
export type PresentResource = Readonly<{
  found: true;
  /** Needed by objects that point at the resource, such as a Kubernetes event. */
  uid?: string;
  /** Unsigned decimal, as Kubernetes gives it. */
  resourceVersion: string;
  /** Desired replicas (`spec.replicas`; absent there means 1). */
  replicas: number;
  readyReplicas: number;
  /** At 0 replicas, pods that have not ended yet, as far as the kind tells of them (`status.replicas`, `status.terminatingReplicas`); absent where none. */
  ending?: number;
  /** The status has seen the newest spec (`observedGeneration` ≥ `generation`, or the kind reports none). */
  observed: boolean;
  /** Carries the mark `meltdown-protection-active`, with whatever value. */
  marked: boolean;
  /** The text of the replicas annotation. */
  record?: string;
  /** `ignore-scaling` is true (SPEC 6.7). */
  ignored: boolean;
}>;

/** `resourceVersion` is that of the deletion, or of the list that lacked it; absent where a GET answered 404. */
type MissingResource = Readonly<{ found: false; resourceVersion?: string }>;

export type ResourceView = PresentResource | MissingResource;
