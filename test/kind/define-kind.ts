import { setTimeout as pause } from 'node:timers/promises';
import { apply } from './apply.ts';
import type { Cluster } from './cluster.ts';

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export type KindToDefine = Readonly<{
  group: string;
  version: string;
  kind: string;
  plural: string;
  scope: 'Cluster' | 'Namespaced';
  subresources?: unknown;
}>;

/** Defines a kind, and waits until it is served. */
export async function defineKind(cluster: Cluster, { subresources, ...defined }: KindToDefine): Promise<void> {
  const { group, version, kind, plural, scope } = defined;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await apply(cluster, definitions, {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind, listKind: `${kind}List`, singular: kind.toLowerCase() },
      versions: [
        { name: version, served: true, storage: true, schema, ...(subresources === undefined ? {} : { subresources }) },
      ],
    },
  });
  const path = `/apis/${group}/${version}/${plural}`;
  while ((await cluster.call('GET', path, undefined, [404, 429, 503])) === undefined) await pause(100);
}
