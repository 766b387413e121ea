import type { V1CustomResourceSubresources, V1CustomResourceDefinition } from '@kubernetes/client-node';

export type CustomKind = Readonly<{
  group: string;
  version: string;
  kind: string;
  plural: string;
  scope: 'Cluster' | 'Namespaced';
  subresources?: V1CustomResourceSubresources;
}>;

/** Gardener's kinds that the prober reads. Their schemas accept anything. */
export const gardenerKinds = [
  { group: 'extensions.gardener.cloud', version: 'v1alpha1', plural: 'clusters', kind: 'Cluster', scope: 'Cluster' },
  {
    group: 'machine.sapcloud.io',
    version: 'v1alpha1',
    plural: 'machines',
    kind: 'Machine',
    scope: 'Namespaced',
    subresources: { status: {} },
  },
] as const satisfies readonly CustomKind[];

/** A CustomResourceDefinition without a schema of its own. */
export function definitionOf({
  group,
  version,
  kind,
  plural,
  scope,
  subresources = {},
}: CustomKind): V1CustomResourceDefinition {
  const schema = { openAPIV3Schema: { type: 'object', x_kubernetes_preserve_unknown_fields: true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind, listKind: `${kind}List`, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema, subresources }],
    },
  };
}

/** How a server answers that has taken a definition and does not serve the kind yet. */
export const notServedYet: readonly number[] = [404, 429, 503];
