import { setTimeout as pause } from 'node:timers/promises';
import type { RealApiServer } from '../../real/api-server.ts';
import {
  granteeOf,
  grantingsOf,
  pathOf,
  permissionsOf,
  type GrantFile,
  type Permission,
  type Rule,
} from '@dwd/testing/gardener-rbac.ts';

/** Takes one permission out of the role that holds it, and gives it back after the work, on a server that runs. */
export async function withoutPermission<Value>(
  server: RealApiServer,
  file: GrantFile,
  permission: Permission,
  work: () => Promise<Value>,
): Promise<Value> {
  const { role, roleName, verb, resource, group } = permission;
  const granting = grantingsOf(file).find(({ kind, metadata }) => kind === role && metadata.name === roleName);
  if (granting === undefined) throw new Error(`${file} has no ${role} ${roleName}`);
  const others = permissionsOf(file).filter(
    (one) => one.role === role && !(one.verb === verb && one.resource === resource && one.group === group),
  );
  const path = pathOf(granting, roleName);
  await server.call('PATCH', path, { rules: others.map(ruleOf) });
  try {
    await until(server, file, permission, false);
    return await work();
  } finally {
    await server.call('PATCH', path, { rules: granting.rules });
    await until(server, file, permission, true);
  }
}

function ruleOf({ group, resource, verb, names }: Permission): Rule {
  const named = names.length === 0 ? {} : { resourceNames: names };
  return { apiGroups: [group], resources: [resource], verbs: [verb], ...named };
}

/** The server goes by what it has heard of its roles, which comes a moment later. */
async function until(server: RealApiServer, file: GrantFile, permission: Permission, granted: boolean): Promise<void> {
  const { group, resource: whole, verb, names, namespace } = permission;
  const [resource, subresource = ''] = whole.split('/');
  const where = { group, resource, subresource, verb, name: names[0] ?? '', namespace };
  const review = { spec: { user: granteeOf(file), resourceAttributes: where } };
  for (;;) {
    const { body } = await server.call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
    if ((body['status'] as { allowed: boolean }).allowed === granted) return;
    await pause(5);
  }
}
