import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Wire } from '@dwd/simulator/contract/embedded-wire.ts';
import { seedUser, shootUser, weederUser } from '@dwd/testing/gardener-rbac.ts';
import { end } from '../../real/processes.ts';
import { startControllerManager } from '../../real/controller-manager.ts';
import { realSeed, realShoot, realTier } from './real-tier.ts';

const clusters = '/apis/extensions.gardener.cloud/v1alpha1/clusters';

describe('the real tier', () => {
  test('seed and shoot share an etcd and nothing else', async () => {
    const [seed, shoot] = [realSeed(), realShoot()];
    await seed.call('POST', '/api/v1/namespaces', { metadata: { name: 'only-in-the-seed' } });
    expect((await shoot.call('GET', '/api/v1/namespaces/only-in-the-seed', undefined, [404])).status).toBe(404);
    const deceived = new Wire({ ...shoot.reach, ca: seed.reach.ca, token: shoot.token('admin') });
    await expect(deceived.get('/version')).rejects.toThrow('certificate');
  });

  test.each([
    ['the prober', 'seed', seedUser, clusters, 200],
    ['the prober', 'seed', seedUser, '/api/v1/pods', 403],
    ['the weeder', 'seed', weederUser, '/api/v1/pods', 200],
    ['the weeder', 'seed', weederUser, clusters, 403],
    ['the probe', 'shoot', shootUser, '/api/v1/nodes', 200],
    ['the probe', 'shoot', shootUser, '/api/v1/secrets', 403],
    ['nobody in particular', 'seed', 'weak', '/version', 200],
    ['nobody in particular', 'seed', 'weak', '/api/v1/namespaces', 403],
    ['nobody in particular', 'shoot', 'weak', '/api/v1/nodes', 403],
  ] as const)('%s in the %s, as %s, asks for %s: %i, and the audit log says so', async (_, where, user, path, code) => {
    const server = where === 'seed' ? realSeed() : realShoot();
    const wire = new Wire({ ...server.reach, token: server.token(user) });
    const asked = `${path}?told=${code}`;
    expect((await wire.get(asked)).code).toBe(code);
    await wire.close();
    const lines = readFileSync(realTier()[where].auditLog, 'utf8').split('\n').slice(0, -1);
    const events = lines
      .map((line) => JSON.parse(line) as { requestURI: string; user: { username: string } })
      .filter((event) => event.requestURI === asked && event.user.username === user);
    expect(events).toMatchObject([
      { level: 'Metadata', verb: path === '/version' ? 'get' : 'list', responseStatus: { code } },
    ]);
  });
});

describe('the shoot, with a real kube-controller-manager', () => {
  const shoot = realShoot();
  let manager: ReturnType<typeof startControllerManager>;

  beforeAll(() => {
    manager = startControllerManager(realTier(), 'real-tier-kcm', shoot, ['serviceaccount-controller']);
  });

  afterAll(async () => {
    await end(manager);
  });

  test('gives a namespace its default service account', async () => {
    await shoot.call('POST', '/api/v1/namespaces', { metadata: { name: 'managed' } });
    const account = '/api/v1/namespaces/managed/serviceaccounts/default';
    const isThere = async () => (await shoot.call('GET', account, undefined, [404])).status === 200;
    await expect.poll(isThere, { timeout: 30_000 }).toBe(true);
  });
});
