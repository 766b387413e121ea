import { afterAll, expect, test } from 'vitest';
import { isOfKind, type Program } from '@dwd/testing/program.ts';
import { auditedFromNow } from './audited.ts';
import { realSeed, realTier } from './real-tier.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { RealApiServer } from '../../real/api-server.ts';
import { grantingsOf, pathOf, weederUser, type Rule } from '@dwd/testing/gardener-rbac.ts';
import { started, RealPlainDependants } from './real-stage.ts';

const namespace = 'shoot--older--weeded';
const service = 'older-gardener-etcd';
const config = `
watchDuration: 3s
servicesAndDependantSelectors:
  ${service}:
    podSelectors:
    - matchLabels: {role: apiserver}
  older-gardener-apiserver:
    podSelectors:
    - matchLabels: {role: controller}
`;

const seed = realSeed();
const audited = auditedFromNow(realTier().seed.auditLog);

afterAll(async () => {
  await grantWeeder(seed, 'present');
  await seed.close();
});

const said = ({ lines }: Program) => lines.filter((line) => isOfKind(line, 'watches another kind'));
const refusalsOf = (resource: string) => audited().filter((one) => one.resource === resource && one.forbidden).length;

test('7.6 under the grants of an older Gardener the weeder goes by Endpoints, says so once, and deletes what crash-loops; started under the present ones it goes by EndpointSlices', async (context) => {
  const scene = new RealPlainDependants(seed, namespace);
  await scene.enter();
  await scene.endpoints(service, false);
  await scene.add('early', { role: 'apiserver' }, true);
  await scene.add('stranger', { role: 'main' }, true);
  await grantWeeder(seed, 'older');

  const weeder = started(context, 'weeder', seed, { config });
  await weeder.line('watches another kind', { stream: 'endpointslices', by: 'endpoints' });
  await scene.endpoints(service, true);
  await weeder.line('pod deleted', { namespace, pod: 'early' });
  await weeder.line('state changed', { namespace, to: 'settled', window: 'closed', deleted: 1, left: 0 });
  await scene.endpoints(service, false);
  await weeder.line('state changed', { namespace, to: 'down' });
  expect(await scene.left()).toEqual(['stranger']);
  weeder.kill('SIGTERM');
  expect(await weeder.end()).toMatchObject({ code: 0 });
  expect(said(weeder)).toHaveLength(1);
  expect(said(weeder)[0]).toMatchObject({ level: 'info', msg: expect.stringContaining('endpointslices') });
  expect(weeder.lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(refusalsOf('endpointslices')).toBe(1);

  await grantWeeder(seed, 'present');
  await scene.add('late', { role: 'apiserver' }, true);
  await scene.slice(service, true);
  const next = started(context, 'weeder', seed, { config });
  await next.line('pod deleted', { namespace, pod: 'late' });
  next.kill('SIGTERM');
  expect(await next.end()).toMatchObject({ code: 0 });
  expect(said(next)).toEqual([]);
  expect(refusalsOf('endpoints')).toBe(0);
});

const kinds = ['endpointslices', 'endpoints'] as const;

/** What Gardener granted the weeder before there were EndpointSlices: the same role, with Endpoints in their place. */
type WeederGrants = 'older' | 'present';

/** Gives the weeder's role on a seed that runs other rules; resolves once the server goes by them. */
async function grantWeeder(seed: RealApiServer, grants: WeederGrants): Promise<void> {
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
