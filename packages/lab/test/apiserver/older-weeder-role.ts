import { setTimeout as pause } from 'node:timers/promises';
import type { RealApiServer } from '../../real/api-server.ts';
import { grantingsOf, pathOf, weederUser, type Rule } from '@dwd/testing/gardener-rbac.ts';

const kinds = ['endpointslices', 'endpoints'] as const;

/** What Gardener granted the weeder before there were EndpointSlices: the same role, with Endpoints in their place. */
export type WeederGrants = 'older' | 'present';

/** Gives the weeder's role on a seed that runs other rules; resolves once the server goes by them. */
export async function grantWeeder(seed: RealApiServer, grants: WeederGrants): Promise<void> {
  const role = grantingsOf('base/weeder/rbac.yaml').find(({ kind }) => kind === 'ClusterRole');
  if (role === undefined) throw new Error('the weeder has no ClusterRole');
  const rules = (role.rules ?? []).map((rule) => (grants === 'older' ? older(rule) : rule));
  await seed.call('PATCH', pathOf(role, role.metadata.name), { rules });
  for (const resource of kinds) {
    const expected = (resource === 'endpoints') === (grants === 'older');
    while ((await mayList(seed, resource)) !== expected) await pause(5);
  }
}

function older(rule: Rule): Rule {
  return rule.resources.includes('endpointslices') ? { ...rule, apiGroups: [''], resources: ['endpoints'] } : rule;
}

async function mayList(seed: RealApiServer, resource: (typeof kinds)[number]): Promise<boolean> {
  const group = resource === 'endpoints' ? '' : 'discovery.k8s.io';
  const review = { spec: { user: weederUser, resourceAttributes: { group, resource, verb: 'list' } } };
  const { body } = await seed.call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
  return (body['status'] as { allowed: boolean }).allowed;
}
