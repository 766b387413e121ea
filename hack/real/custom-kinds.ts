export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export type CustomKind = Readonly<{
  group: string;
  version: string;
  kind: string;
  plural: string;
  scope: 'Cluster' | 'Namespaced';
  subresources?: unknown;
}>;

/** Gardener's kinds that the prober reads: anything goes in them. */
export const gardenerKinds: readonly CustomKind[] = [
  { group: 'extensions.gardener.cloud', version: 'v1alpha1', plural: 'clusters', kind: 'Cluster', scope: 'Cluster' },
  {
    group: 'machine.sapcloud.io',
    version: 'v1alpha1',
    plural: 'machines',
    kind: 'Machine',
    scope: 'Namespaced',
    subresources: { status: {} },
  },
];

/** A CustomResourceDefinition without a schema of its own. */
export function definitionOf({ group, version, kind, plural, scope, subresources = {} }: CustomKind) {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind, listKind: `${kind}List`, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema, subresources }],
    },
  };
}

/** Where it is served, and how a server answers that has taken the definition and does not serve it yet. */
export function servedAt({ group, version, plural }: CustomKind): string {
  return `/apis/${group}/${version}/${plural}`;
}

export const notServedYet: readonly number[] = [404, 429, 503];
