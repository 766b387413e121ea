import type { RealApiServer } from '../../real/api-server.ts';

const group = 'rbac.authorization.k8s.io';
export const rbac: string = `/apis/${group}/v1`;

/** Gives a user a ClusterRole, by a binding of the user's name unless it has another one. One that is there stays. */
export async function bindRole(server: RealApiServer, role: string, user: string, name = user): Promise<void> {
  const binding = {
    metadata: { name },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: group, kind: 'User', name: user }],
  };
  await server.call('POST', `${rbac}/clusterrolebindings`, binding, [409]);
}
