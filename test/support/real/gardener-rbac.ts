import type { RealApiServer } from './real-api-server.ts';

/** The identities of prober and weeder, as Gardener names them. */
export const seedUser = 'system:serviceaccount:garden:dependency-watchdog-prober';
export const weederUser = 'system:serviceaccount:garden:dependency-watchdog-weeder';
export const shootUser = 'system:serviceaccount:kube-system:dependency-watchdog-probe';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const group = 'rbac.authorization.k8s.io';

type Rule = Readonly<{ apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] }>;

const watching = ['get', 'list', 'watch'];

/** Grants the prober in the seed exactly what Gardener grants it. */
export async function grantInSeed(seed: RealApiServer): Promise<void> {
  await grant(seed, undefined, 'gardener.cloud:dependency-watchdog-prober:cluster-role', seedUser, [
    { apiGroups: ['extensions.gardener.cloud'], resources: ['clusters'], verbs: watching },
    { apiGroups: [''], resources: ['namespaces', 'secrets'], verbs: watching },
    { apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'], verbs: [...watching, 'update', 'patch'] },
    { apiGroups: ['machine.sapcloud.io'], resources: ['machines'], verbs: watching },
  ]);
  await grantInGarden(seed, 'prober', seedUser);
}

/** Grants the weeder in the seed exactly what Gardener grants it. */
export async function grantWeederInSeed(seed: RealApiServer): Promise<void> {
  await grant(seed, undefined, 'gardener.cloud:dependency-watchdog-weeder:cluster-role', weederUser, [
    { apiGroups: [''], resources: ['pods'], verbs: [...watching, 'delete'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: watching },
  ]);
  await grantInGarden(seed, 'weeder', weederUser);
}

async function grantInGarden(seed: RealApiServer, role: 'prober' | 'weeder', user: string): Promise<void> {
  await grant(seed, 'garden', `gardener.cloud:dependency-watchdog-${role}:role`, user, [
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
    {
      apiGroups: ['coordination.k8s.io'],
      resources: ['leases'],
      verbs: ['get', 'watch', 'update'],
      resourceNames: [`dwd-${role}-leader-election`],
    },
    { apiGroups: [''], resources: ['events'], verbs: ['create', 'get', 'update', 'patch'] },
  ]);
}

/** Grants the probe in the shoot exactly what Gardener grants it. */
export async function grantInShoot(shoot: RealApiServer): Promise<void> {
  await grant(shoot, 'kube-node-lease', 'gardener.cloud:target:dependency-watchdog', shootUser, [
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'list'] },
  ]);
  await grant(shoot, undefined, 'gardener.cloud:target:dependency-watchdog', shootUser, [
    { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list'] },
  ]);
}

async function grant(
  api: RealApiServer,
  namespace: string | undefined,
  name: string,
  user: string,
  rules: readonly Rule[],
): Promise<void> {
  const path = namespace === undefined ? rbac : `${rbac}/namespaces/${namespace}`;
  const [roles, bindings, kind] =
    namespace === undefined
      ? ['clusterroles', 'clusterrolebindings', 'ClusterRole']
      : ['roles', 'rolebindings', 'Role'];
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  await api.call('POST', `${path}/${roles}`, { metadata, rules });
  await api.call('POST', `${path}/${bindings}`, {
    metadata,
    roleRef: { apiGroup: group, kind, name },
    subjects: [{ apiGroup: group, kind: 'User', name: user }],
  });
}
