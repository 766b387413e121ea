import type { DependantRef } from '../../domain/dependant.ts';

/** The kinds of `apps/v1` that can be scaled, as their paths name them. */
const plurals: ReadonlyMap<string, string> = new Map([
  ['Deployment', 'deployments'],
  ['StatefulSet', 'statefulsets'],
  ['ReplicaSet', 'replicasets'],
]);

/** Where all objects of the dependant's kind are listed, cluster-wide; undefined for a kind that is not watched (SPEC 6.6). */
export function dependantPath({ apiVersion, kind }: DependantRef): string | undefined {
  const plural = plurals.get(kind);
  return apiVersion === 'apps/v1' && plural !== undefined ? `/apis/apps/v1/${plural}` : undefined;
}
