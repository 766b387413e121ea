import { type JsonObject, asObject, withValueAt } from './kube-object.ts';
import { valueAt } from 'dependency-watchdog/domain/value-at.ts';

/** Where a kind keeps what its scale subresource shows: paths of keys. */
export type ScalePaths = Readonly<{
  specReplicas: readonly string[];
  statusReplicas: readonly string[];
  /** A label selector object (built-in kinds) or its text (custom resources). */
  selector?: readonly string[];
}>;

/** A kind that an API server serves. */
export type ResourceKind = Readonly<{
  /** Empty for the core group. */
  group: string;
  version: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  shortNames?: readonly string[];
  /** Of a CustomResourceDefinition: its items bear apiVersion and kind in lists too. */
  custom?: boolean;
  /** `metadata.generation` is kept and grows with the spec. */
  countsGenerations?: boolean;
  /** The generation grows with the annotations too, as a Deployment's does. */
  countsAnnotations?: boolean;
  /** The generation grows with any metadata too, as an EndpointSlice's does. */
  countsMetadata?: boolean;
  /** Status is written through its own subresource, and only there. */
  hasStatus?: boolean;
  /** A new one may come with a status, as a node registers with one. */
  comesWithStatus?: boolean;
  /** What the server makes of an object that comes over the wire, `before` being what it replaces; throws ApiRefusal. */
  admit?: (draft: JsonObject, before: JsonObject | undefined) => JsonObject;
  /** Its deletion waits for the node that runs it, as a pod's does. */
  endsGracefully?: boolean;
  scale?: ScalePaths;
  /** Beside metadata.name and metadata.namespace: paths with dots. */
  fieldSelectors?: readonly string[];
  /** Fields that hold a MicroTime: paths with dots. */
  microTimes?: readonly string[];
  /** Defaults the API server fills in: paths with dots. */
  defaults?: Readonly<Record<string, unknown>>;
}>;

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(kind: ResourceKind): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** `Deployment.apps`, as other messages name it; `Secret` in the core group. */
export function groupKindOf({ group, kind }: Readonly<{ group: string; kind: string }>): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/** `deployments.apps`, as messages name it; `secrets` in the core group. */
export function groupResourceOf(kind: ResourceKind): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
}

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
