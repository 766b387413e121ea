import { setTimeout as pause } from 'node:timers/promises';
import { grantingsOf, type GrantFile } from '../support/granted.ts';
import { pathOf } from '../support/real/gardener-rbac.ts';
import type { Cluster } from './cluster.ts';

/** Whatever the scenarios put into a cluster bears it, so that it can be told from what is somebody else's. */
export const scenarioLabel = 'dependency-watchdog.gardener.cloud/scenario';
const ours = { [scenarioLabel]: 'true' };
const selector = `?labelSelector=${encodeURIComponent(scenarioLabel)}`;

type KindToDefine = Readonly<{
  group: string;
  version: string;
  kind: string;
  plural: string;
  scope: 'Cluster' | 'Namespaced';
  subresources?: unknown;
}>;

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** What Gardener's kinds are to the prober: anything goes in them. */
const gardenerKinds: readonly KindToDefine[] = [
  { group: 'extensions.gardener.cloud', version: 'v1alpha1', kind: 'Cluster', plural: 'clusters', scope: 'Cluster' },
  { group: 'machine.sapcloud.io', version: 'v1alpha1', kind: 'Machine', plural: 'machines', scope: 'Namespaced' },
];

/**
 * Makes a seed of a cluster: Gardener's kinds, the namespace `garden`, the accounts of prober and weeder under Gardener's
 * grants, and what an operator adds who lists a StatefulSet and a custom resource as dependants. Rejects, before anything is
 * touched, where the cluster is somebody's seed already: a second prober would scale its shoots.
 */
export async function furnishSeed(seed: Cluster): Promise<void> {
  const garden = await seed.find('/api/v1/namespaces/garden');
  if (garden !== undefined && garden.metadata.labels?.[scenarioLabel] === undefined)
    throw new Error(
      'This cluster has a namespace "garden" which is not the scenarios\': it may be a real seed. Take another cluster.',
    );
  for (const { group, version, plural } of gardenerKinds) {
    const served = await seed.call<{ items: unknown[] }>(
      'GET',
      `/apis/${group}/${version}/${plural}`,
      undefined,
      [404],
    );
    if (garden === undefined && (served?.items ?? []).length > 0)
      throw new Error(`This cluster has ${plural}.${group} already: it may be a real seed. Take another cluster.`);
  }
  if (garden !== undefined) {
    // A run that was killed left it.
    await sweep(seed);
    await swept(seed);
  }
  for (const kind of gardenerKinds) await defineKind(seed, kind);
  await apply(seed, '/api/v1/namespaces', { metadata: { name: 'garden' } });
  await grant(seed, 'seed/prober-rbac.yaml');
  await grant(seed, 'seed/weeder-rbac.yaml');
  await grantFurtherKinds(seed);
}

/** Makes a shoot of a cluster: the account of the probe under Gardener's grants. */
export async function furnishShoot(shoot: Cluster): Promise<void> {
  // The API server makes these two itself, some time after its start.
  for (const name of ['kube-system', 'kube-node-lease'])
    while ((await shoot.find(`/api/v1/namespaces/${name}`)) === undefined) await pause(100);
  await grant(shoot, 'shoot/rbac.yaml');
}

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

/** Takes everything away that scenarios of this or an earlier run left in a cluster; what is not theirs stays. */
export async function sweep(cluster: Cluster): Promise<void> {
  const collections = [
    '/apis/extensions.gardener.cloud/v1alpha1/clusters',
    '/api/v1/nodes',
    '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
    `${rbac}/clusterrolebindings`,
    `${rbac}/clusterroles`,
    `${rbac}/namespaces/kube-node-lease/rolebindings`,
    `${rbac}/namespaces/kube-node-lease/roles`,
    '/api/v1/namespaces/kube-system/serviceaccounts',
    definitions,
  ];
  for (const path of collections) await cluster.call('DELETE', `${path}${selector}`, undefined, [404]);
  for (const { metadata } of await cluster.list(`/api/v1/namespaces${selector}`))
    await cluster.call('DELETE', `/api/v1/namespaces/${metadata.name}`, undefined, [404, 409]);
}

/** Waits until what was swept is gone; namespaces never go where no controllers run. */
async function swept(cluster: Cluster): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const left = [
      ...(await cluster.list(`/api/v1/namespaces${selector}`)),
      ...(await cluster.list(definitions + selector)),
    ];
    if (left.length === 0) return;
    await pause(200);
  }
  throw new Error('the namespaces and kinds of an earlier run are still there after two minutes');
}

/** Creates an object that bears our label; one that is there already stays as it is. */
export async function apply(cluster: Cluster, path: string, object: object): Promise<void> {
  const { metadata } = object as Readonly<{ metadata: Readonly<{ labels?: object }> }>;
  const labels = { ...metadata.labels, ...ours };
  await cluster.call('POST', path, { ...object, metadata: { ...metadata, labels } }, [409]);
}

async function grant(cluster: Cluster, file: GrantFile): Promise<void> {
  for (const granting of grantingsOf(file)) await apply(cluster, pathOf(granting), granting);
}

async function grantFurtherKinds(seed: Cluster): Promise<void> {
  const verbs = ['get', 'list', 'watch', 'update', 'patch'];
  const name = 'dependency-watchdog-prober-further-kinds';
  await apply(seed, `${rbac}/clusterroles`, {
    metadata: { name },
    rules: [
      { apiGroups: ['apps'], resources: ['statefulsets', 'statefulsets/scale'], verbs },
      { apiGroups: ['scenario.example'], resources: ['autopilots', 'autopilots/scale'], verbs },
    ],
  });
  await apply(seed, `${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name: 'dependency-watchdog-prober', namespace: 'garden' }],
  });
}
