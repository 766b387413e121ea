import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { olderGrants, type ContractSeed } from '@dwd/simulator/contract/contract-stage.ts';
import { defineGadgets } from '@dwd/simulator/contract/gadgets.ts';
import type { RealApiServer } from '../../real/api-server.ts';
import { bindRole, rbac } from './role-on-seed.ts';

const busy = 'contract-busy';
const older = 'contract-older';
const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';

/** A real API server of the user `weak`, which has Gardener's kinds, on an etcd whose URL is told. */
export async function realContractSeed(server: RealApiServer, etcd: string): Promise<ContractSeed> {
  const { url, ca } = server.reach;
  const admin = { authorization: `Bearer ${server.token('admin')}` };
  const headers = {
    admin,
    weak: { authorization: `Bearer ${server.token('weak')}` },
    // Not of the group system:masters, which no rule of priority and fairness concerns.
    busy: { ...admin, 'impersonate-user': busy },
    older: { ...admin, 'impersonate-user': older },
    nobody: { authorization: 'Bearer of-nobody' },
  };
  await defineGadgets({ url, ca, token: server.token('admin') });
  await bindRole(server, 'cluster-admin', busy);
  const rules = Object.entries(olderGrants).map(([resource, verbs]) => ({
    apiGroups: [''],
    resources: [resource],
    verbs,
  }));
  await server.call('POST', `${rbac}/clusterroles`, { metadata: { name: older }, rules }, [409]);
  await bindRole(server, older, older);
  let limited: Promise<void> | undefined;
  return {
    url,
    ca,
    headers,
    compact: () => compact(server, etcd),
    throttle: async () => {
      await (limited ??= limit(server, headers.busy));
      return occupy(server, headers.busy);
    },
  };
}

/** Really: of what was before now, etcd itself knows nothing any more. */
async function compact(server: RealApiServer, etcd: string): Promise<void> {
  const { body } = await server.call('GET', '/api/v1/namespaces?limit=1');
  // Over all API servers of one etcd, the version of a list is etcd's own revision.
  const { resourceVersion: revision } = body['metadata'] as { resourceVersion: string };
  const answer = await request(`${etcd}/v3/kv/compaction`, { method: 'POST', body: JSON.stringify({ revision }) });
  const text = await answer.body.text();
  if (answer.statusCode !== 200 && !text.includes('has been compacted'))
    throw new Error(`etcd does not compact: ${text}`);
}

/** Gives the busy user a priority level of his own, with some ten seats and no queue. */
async function limit(server: RealApiServer, headers: Readonly<Record<string, string>>): Promise<void> {
  const seats = { nominalConcurrencyShares: 4, lendablePercent: 0, borrowingLimitPercent: 0 };
  await server.call(
    'POST',
    `${flowControl}/prioritylevelconfigurations`,
    { metadata: { name: busy }, spec: { type: 'Limited', limited: { ...seats, limitResponse: { type: 'Reject' } } } },
    [409],
  );
  const everything = {
    subjects: [{ kind: 'User', user: { name: busy } }],
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  };
  const flow = { priorityLevelConfiguration: { name: busy }, matchingPrecedence: 50, rules: [everything] };
  const told = await server.call('POST', `${flowControl}/flowschemas`, { metadata: { name: busy }, spec: flow }, [409]);
  const { uid } = told.body['metadata'] as { uid?: string };
  const agent = new Agent({ connect: { ca: server.reach.ca }, allowH2: false });
  const ruledBy = async (): Promise<unknown> => {
    const answer = await request(`${server.url}/version`, { dispatcher: agent, headers });
    await answer.body.dump();
    return answer.headers['x-kubernetes-pf-flowschema-uid'];
  };
  // One of an earlier test file rules by now.
  if (uid !== undefined) for (let by = await ruledBy(); by !== uid; by = await ruledBy());
  await agent.destroy();
}

/** Takes all seats of the busy user, by requests whose bodies never end; resolves once he is refused. */
async function occupy(server: RealApiServer, headers: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
  const connect = { ca: server.reach.ca };
  const [seats, knocking] = [new Agent({ connect, allowH2: false }), new Agent({ connect, allowH2: false })];
  const sit = (): void => {
    const body = new Readable({ read: () => undefined });
    body.push('{');
    const path = `${server.url}/api/v1/namespaces/default/configmaps`;
    const type = { 'content-type': 'application/json' };
    // Refused for want of a seat, or cut when he gets up.
    request(path, { method: 'POST', dispatcher: seats, headers: { ...headers, ...type }, body }).then(
      (answer) => answer.body.dump(),
      () => undefined,
    );
  };
  const knock = async (): Promise<number> => {
    const { statusCode, body } = await request(`${server.url}/version`, { dispatcher: knocking, headers });
    await body.dump();
    return statusCode;
  };
  do sit();
  while ((await knock()) !== 429);
  return async () => {
    await seats.destroy();
    while ((await knock()) === 429);
    await knocking.destroy();
  };
}
