import type { DependantRef } from '../../domain/prober/dependant.ts';

/** These never change, and neither a watch nor a scale-down must wait for discovery. */
const plurals: ReadonlyMap<string, string> = new Map([
  ['Deployment', 'deployments'],
  ['StatefulSet', 'statefulsets'],
  ['ReplicaSet', 'replicasets'],
]);

/** How a path names a kind of `apps/v1` that can be scaled; undefined for every other kind (SPEC 6.6). */
export function appsPlural({ apiVersion, kind }: DependantRef): string | undefined {
  return apiVersion === 'apps/v1' ? plurals.get(kind) : undefined;
}
