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

/** The Cluster that a GET showed, where it did, and it can be read. */
export function clusterIn(answer: ClusterAnswer | undefined): ClusterView | undefined {
  return answer?.outcome === 'read' && answer.reading.readable ? answer.reading.cluster : undefined;
}

/** A Cluster, or why it could not be read (SPEC 3.4): a sentence that names the place. */
export type ClusterReading =
  | Readonly<{ readable: true; cluster: ClusterView }>
  | Readonly<{ readable: false; problem: string }>;

/** What a Cluster asks of its probe; each reason completes a sentence for an operator. */
export type Lifecycle =
  /** Probing stops and nothing is scaled (SPEC 3.1). */
  | Readonly<{ kind: 'stop'; reason: string }>
  /** Probing starts, or goes on (SPEC 3.2). */
  | Readonly<{ kind: 'start' }>
  /** A probe that runs goes on, one that does not is not started (SPEC 3.2). */
  | Readonly<{ kind: 'keep'; reason: string }>;

type Rule = Readonly<{ applies: (cluster: ClusterView) => boolean; reason: string }>;

// The first that applies gives the reason: what lasts comes before what passes.
const stops: readonly Rule[] = [
  { applies: ({ deleting }) => deleting, reason: 'the shoot is being deleted' },
  { applies: ({ lastOperation }) => lastOperation?.type === 'Migrate', reason: 'the shoot migrates to another seed' },
  {
    applies: ({ lastOperation }) => lastOperation?.type === 'LiveMigrate',
    reason: 'the shoot migrates live to another seed',
  },
  { applies: ({ hibernationEnabled }) => hibernationEnabled, reason: 'the shoot is hibernated' },
  { applies: ({ selfHosted }) => selfHosted === true, reason: 'the shoot hosts its own control plane' },
  { applies: ({ workers }) => workers.length === 0, reason: 'the shoot has no workers' },
];

/** The operations that a probe starts in, and in which state of theirs; `any` state of a reconciliation, a failed one too. */
const starts: Readonly<Record<string, string>> = { Reconcile: 'any', Create: 'Succeeded', Restore: 'Succeeded' };

/** Says whether this shoot is to be probed. */
export function judgeLifecycle(cluster: ClusterView): Lifecycle {
  const stop = stops.find(({ applies }) => applies(cluster));
  if (stop !== undefined) return { kind: 'stop', reason: stop.reason };

  // Hibernation was switched off, and the control plane is still on its way up.
  if (cluster.hibernated) return { kind: 'keep', reason: 'the shoot is still waking up from hibernation' };
  if (cluster.lastOperation === undefined) return { kind: 'keep', reason: 'the shoot has had no operation yet' };

  const { type, state } = cluster.lastOperation;
  const wanted = Object.hasOwn(starts, type) ? starts[type] : undefined;
  if (wanted === 'any' || (wanted !== undefined && wanted === state)) return { kind: 'start' };
  return { kind: 'keep', reason: `the shoot's last operation is ${type}, ${state || 'in no state'}` };
}
