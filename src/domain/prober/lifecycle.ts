import type { ClusterView } from './cluster-view.ts';

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
