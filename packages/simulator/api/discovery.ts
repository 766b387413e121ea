import type { JsonObject } from '../store/kube-object.ts';
import { subresourcesOf } from './resource-answer.ts';
import { apiVersionOf, type ResourceKind } from '../store/resource-kind.ts';

const version = {
  major: '1',
  minor: '34',
  gitVersion: 'v1.34.4',
  gitCommit: '0000000000000000000000000000000000000000',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: 'go1.24.0',
  compiler: 'gc',
  platform: 'linux/amd64',
};

/** What the server tells of itself, by path: `/version`, and what kubectl and clients discover kinds by. */
export function discovery(kinds: readonly ResourceKind[]): ReadonlyMap<string, JsonObject> {
  const groupVersions = Map.groupBy(kinds, apiVersionOf);
  const groups = Map.groupBy(
    kinds.filter(({ group }) => group !== ''),
    ({ group }) => group,
  );
  return new Map<string, JsonObject>([
    ['/version', version],
    ['/api', { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }],
    [
      '/apis',
      { kind: 'APIGroupList', apiVersion: 'v1', groups: [...groups].map(([name, served]) => groupOf(name, served)) },
    ],
    ...[...groups].map(([name, served]): [string, JsonObject] => [
      `/apis/${name}`,
      { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(name, served) },
    ]),
    ...[...groupVersions].map(([groupVersion, served]): [string, JsonObject] => [
      groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`,
      { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: served.flatMap(resourcesOf) },
    ]),
  ]);
}

function resourcesOf(kind: ResourceKind): JsonObject[] {
  const { plural, namespaced, shortNames } = kind;
  const subresources = subresourcesOf(kind).map((name) => ({
    name: `${plural}/${name}`,
    singularName: '',
    namespaced,
    ...(name === 'scale' ? { group: 'autoscaling', version: 'v1', kind: 'Scale' } : { kind: kind.kind }),
    verbs: ['get', 'patch', 'update'],
  }));
  return [
    {
      name: plural,
      singularName: kind.kind.toLowerCase(),
      namespaced,
      kind: kind.kind,
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      ...(shortNames === undefined ? {} : { shortNames }),
    },
    ...subresources,
  ];
}

function groupOf(name: string, served: readonly ResourceKind[]): JsonObject {
  const names = [...new Set(served.map(({ version }) => version))];
  const versions = names.map((of) => ({ groupVersion: `${name}/${of}`, version: of }));
  return { name, versions, preferredVersion: versions[0] };
}
