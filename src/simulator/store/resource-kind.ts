import type { JsonObject } from './kube-object.ts';

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
