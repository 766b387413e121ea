import { valueAt } from '../../domain/value-at.ts';
import { asObject, type JsonObject, withValueAt } from './kube-object.ts';
import type { ResourceKind } from './resource-kind.ts';

/** What a scalable object wants and has. */
export type WorkloadNumbers = Readonly<{
  generation: number;
  observedGeneration: number;
  /** Desired replicas; absent means 1. */
  desired: number;
  existing: number;
  ready: number;
}>;

export function workloadNumbers(kind: ResourceKind, object: JsonObject): WorkloadNumbers {
  const number = (path: readonly string[], otherwise: number): number => Number(valueAt(object, ...path) ?? otherwise);
  const existing = number(kind.scale?.statusReplicas ?? [], 0);
  return {
    generation: number(['metadata', 'generation'], 0),
    observedGeneration: number(['status', 'observedGeneration'], 0),
    desired: number(kind.scale?.specReplicas ?? [], 1),
    existing,
    ready: countsReady(kind) ? number(['status', 'readyReplicas'], 0) : existing,
  };
}

/** The object with so many pods, all of them ready; counts of zero are left out, as Kubernetes does. */
export function withPods(kind: ResourceKind, object: JsonObject, existing: number, ready: number): JsonObject {
  const sent = withValueAt(object, kind.scale?.statusReplicas ?? ['status', 'replicas'], existing);
  if (!countsReady(kind)) return sent;
  const counts = { replicas: existing, updatedReplicas: existing, readyReplicas: ready, availableReplicas: ready };
  const status = { ...asObject(sent['status']), ...counts };
  return { ...sent, status: Object.fromEntries(Object.entries(status).filter(([, value]) => value !== 0)) };
}

/** Custom resources tell what their scale shows, and no more. */
function countsReady(kind: ResourceKind): boolean {
  return kind.custom !== true;
}
