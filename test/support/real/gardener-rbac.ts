import { granteeOf, grantingsOf, type Granting, type GrantFile } from '../granted.ts';
import type { RealApiServer } from './real-api-server.ts';

/** The identities of prober and weeder, as Gardener names them. */
export const seedUser = granteeOf('seed/prober-rbac.yaml');
export const weederUser = granteeOf('seed/weeder-rbac.yaml');
export const shootUser = granteeOf('shoot/rbac.yaml');

const plurals = {
  ServiceAccount: 'serviceaccounts',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
} as const;

/** Grants the prober in the seed exactly what Gardener grants it. */
export const grantInSeed = (seed: RealApiServer): Promise<void> => apply(seed, 'seed/prober-rbac.yaml');

/** Grants the weeder in the seed exactly what Gardener grants it. */
export const grantWeederInSeed = (seed: RealApiServer): Promise<void> => apply(seed, 'seed/weeder-rbac.yaml');

/** Grants the probe in the shoot exactly what Gardener grants it. */
export const grantInShoot = (shoot: RealApiServer): Promise<void> => apply(shoot, 'shoot/rbac.yaml');

/** Where an object of the manifests lies, or where its kind is created. */
export function pathOf({ apiVersion, kind, metadata: { namespace } }: Granting, name?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const within = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${root}${within}/${plurals[kind]}${name === undefined ? '' : `/${name}`}`;
}

async function apply(api: RealApiServer, file: GrantFile): Promise<void> {
  const grantings = grantingsOf(file);
  for (const name of new Set(grantings.flatMap(({ metadata: { namespace } }) => namespace ?? [])))
    await api.call('POST', '/api/v1/namespaces', { metadata: { name } }, [409]);
  for (const granting of grantings) await api.call('POST', pathOf(granting), granting);
}
