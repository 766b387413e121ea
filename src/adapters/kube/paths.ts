import type { DependantKind } from '../../domain/prober/dependant.ts';

/** These never change, so neither a watch nor a scale-down has to wait for discovery. */
const plurals: ReadonlyMap<string, string> = new Map([
  ['Deployment', 'deployments'],
  ['StatefulSet', 'statefulsets'],
  ['ReplicaSet', 'replicasets'],
]);

export const clustersPath = '/apis/extensions.gardener.cloud/v1alpha1/clusters';

/** Where anybody may ask what it may do itself. */
export const accessReviewsPath = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

export const endpointSlicesPath = '/apis/discovery.k8s.io/v1/endpointslices';

/** What an older Gardener grants instead (SPEC 7.6). */
export const endpointsPath = '/api/v1/endpoints';

export function machinesPath(namespace: string): string {
  return `/apis/machine.sapcloud.io/v1alpha1/namespaces/${encodeURIComponent(namespace)}/machines`;
}

export const podsOfAllPath = '/api/v1/pods';

export function podsPath(namespace: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
}

export function eventsPath(namespace: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
}

export function leasesPath(namespace: string): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
}

/** The name in paths of a kind of `apps/v1` that can be scaled; undefined for every other kind (SPEC 6.6). */
export function appsPlural({ apiVersion, kind }: DependantKind): string | undefined {
  return apiVersion === 'apps/v1' ? plurals.get(kind) : undefined;
}
