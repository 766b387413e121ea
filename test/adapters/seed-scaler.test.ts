import { expect, test } from 'vitest';
import { KubeError, type KubeErrorKind } from '../../src/adapters/kube/kube-error.ts';
import { kubeMachineApi } from '../../src/adapters/seed/machine-api.ts';
import { resourcePaths } from '../../src/adapters/seed/resource-paths.ts';
import { kubeScaler } from '../../src/adapters/seed/scaler.ts';
import type { DependantRef } from '../../src/domain/prober/dependant.ts';
import type { ResourceChange } from '../../src/domain/prober/resource-view.ts';
import { FakeKubeClient, refusal } from '@dwd/testing/fake-kube-client.ts';
import { present } from '@dwd/testing/views.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

const shoot = 'shoot--a--b';
const seen = present({ resourceVersion: '7' });
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'kcm' };
const etcd = { apiVersion: 'druid.gardener.cloud/v1alpha1', kind: 'Etcd', name: 'main' };
const resources = [
  { name: 'etcds', kind: 'Etcd', namespaced: true },
  { name: 'etcds/status', kind: 'Etcd', namespaced: true },
  { name: 'etcds/scale', kind: 'Scale', namespaced: true },
  { name: 'secretbackups', kind: 'SecretBackup', namespaced: true },
  { name: 'stores', kind: 'Store', namespaced: false },
];
const never = new AbortController().signal;
const options = { urgent: false, withdrawn: never };
const scalerOn = (client: FakeKubeClient) => kubeScaler({ client, clock: new VirtualClock() });
const listMachines = (client: FakeKubeClient, clock = new VirtualClock(), deadlineAt = 5_000) =>
  kubeMachineApi(client, clock).listMachines(shoot, deadlineAt, never, { urgent: true });

test('6.6 the usual kinds need no discovery, whoever the shoot is', async () => {
  const client = new FakeKubeClient(() => undefined);
  const paths = resourcePaths(client, new VirtualClock());
  expect(await paths.find(shoot, deployment, 'urgent')).toEqual({
    path: `/apis/apps/v1/namespaces/${shoot}/deployments/kcm`,
    scalable: true,
  });
  expect(client.asked).toEqual([]);
});

test('6.6 a kind is discovered once for all shoots, and again after ten minutes', async () => {
  const clock = new VirtualClock();
  const client = new FakeKubeClient(() => ({ resources }));
  const paths = resourcePaths(client, clock);
  const find = async (): Promise<unknown> =>
    (await Promise.all([paths.find('a', etcd, 'urgent'), paths.find('b', etcd, 'healing')]))[1];
  const path = '/apis/druid.gardener.cloud/v1alpha1/namespaces/b/etcds/main';
  expect(await find()).toEqual({ path, scalable: true });
  await clock.advanceBy(599_999);
  await find();
  expect(client.asked).toMatchObject([{ method: 'GET', path: '/apis/druid.gardener.cloud/v1alpha1', lane: 'urgent' }]);
  await clock.advanceBy(1);
  await find();
  expect(client.asked).toHaveLength(2);
});

test('6.6 the core group, a kind without a scale, a cluster-scoped one', async () => {
  const client = new FakeKubeClient(() => ({ resources }));
  const paths = resourcePaths(client, new VirtualClock());
  const find = (kind: string): Promise<unknown> => paths.find('a', { apiVersion: 'v1', kind, name: 'x' }, 'healing');
  expect(await find('SecretBackup')).toEqual({ path: '/api/v1/namespaces/a/secretbackups/x', scalable: false });
  expect(await find('Store')).toBeUndefined();
  expect(await find('Scale')).toBeUndefined();
  expect(client.asked[0]?.path).toBe('/api/v1');
});

test('6.6 what is not served is looked for again after half a minute, what cannot be asked at once', async () => {
  const clock = new VirtualClock();
  const client = new FakeKubeClient(() => Promise.reject(refusal(503)));
  const paths = resourcePaths(client, clock);
  await expect(paths.find('a', etcd, 'healing')).rejects.toMatchObject({ status: 503 });
  client.answer = () => ({ kind: 'Nonsense' });
  await expect(paths.find('a', etcd, 'healing')).rejects.toMatchObject({ kind: 'garbled' });
  client.answer = () => Promise.reject(refusal(404));
  expect(await paths.find('a', etcd, 'healing')).toBeUndefined();
  client.answer = () => ({ resources });
  await clock.advanceBy(29_999);
  expect(await paths.find('a', etcd, 'healing')).toBeUndefined();
  await clock.advanceBy(1);
  expect(await paths.find('a', etcd, 'healing')).toMatchObject({ scalable: true });
  expect(client.asked).toHaveLength(4);
});

test('6.6 a scale-down rides in the bucket of the urgent, and can be withdrawn in its queue', async () => {
  const client = new FakeKubeClient(() => ({ metadata: { resourceVersion: '8' }, spec: { replicas: 0 } }));
  const scaler = scalerOn(client);
  const { signal } = new AbortController();
  await scaler.write(
    shoot,
    deployment,
    seen,
    { replicas: 0, mark: true, record: 2 },
    { urgent: true, by: 7, withdrawn: signal },
  );
  expect(client.asked).toEqual([
    {
      method: 'PATCH',
      path: `/apis/apps/v1/namespaces/${shoot}/deployments/kcm`,
      contentType: 'application/merge-patch+json',
      lane: 'urgent',
      by: 7,
      withdrawn: signal,
      body: {
        metadata: {
          resourceVersion: '7',
          annotations: {
            'dependency-watchdog.gardener.cloud/meltdown-protection-active': '',
            'dependency-watchdog.gardener.cloud/replicas': '2',
          },
        },
        spec: { replicas: 0 },
      },
    },
  ]);
});

const perhaps = (detail: string) => ({ outcome: 'failed', detail, perhapsWritten: true });

test.each<[string, () => unknown, object]>([
  ['is withdrawn', () => new KubeError('withdrawn', 'w'), { outcome: 'withdrawn' }],
  ['finds nothing', () => refusal(404, 'NotFound'), { outcome: 'missing' }],
  ['a proxy finds nothing for', () => refusal(404), { outcome: 'failed', detail: 'was answered 404' }],
  ['comes too late', () => refusal(409, 'Conflict'), { outcome: 'conflict' }],
  ['is forbidden', () => refusal(403, 'Forbidden'), { outcome: 'failed', detail: 'was answered 403 Forbidden' }],
  ['never left', () => new KubeError('overloaded', 'full'), { outcome: 'failed', detail: 'full' }],
  ['finds nobody', () => new KubeError('unreachable', 'no way'), perhaps('no way')],
  ['is cut off', () => new KubeError('aborted', 'cut'), perhaps('cut')],
  ['is answered by an ill etcd', () => refusal(500, 'etcd'), perhaps('was answered 500 etcd')],
])('6.6 a write that %s says so', async (_name, error, expected) => {
  const client = new FakeKubeClient(() => {
    throw error() as Error;
  });
  const scaler = scalerOn(client);
  expect(await scaler.write(shoot, deployment, seen, { replicas: 1 }, options)).toEqual(expected);
});

test('6.8 what is read is missing where Kubernetes says so; of a kind that is no longer served, any 404 says so', async () => {
  const client = new FakeKubeClient(({ path }) =>
    path.endsWith('v1alpha1') ? { resources } : Promise.reject(refusal(404)),
  );
  const read = (ref: DependantRef) => scalerOn(client).read(shoot, ref, { urgent: false, withdrawn: never });
  expect(await read(deployment)).toEqual({ outcome: 'failed', detail: 'was answered 404' });
  expect(await read(etcd)).toEqual({ outcome: 'read', view: { found: false } });
  client.answer = () => Promise.reject(refusal(404, 'NotFound'));
  expect(await read(deployment)).toEqual({ outcome: 'read', view: { found: false } });
});

test('6.6 an answer that shows no resource, and a change that no single write can make, fail', async () => {
  const client = new FakeKubeClient(({ method }) => (method === 'GET' ? { resources } : {}));
  const scaler = scalerOn(client);
  expect(await scaler.write(shoot, deployment, seen, { replicas: 1 }, options)).toMatchObject({ outcome: 'failed' });
  expect(await scaler.write(shoot, etcd, seen, { replicas: 1, mark: true }, options)).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('in one write') as string,
  });
  expect(client.asked.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
});

test('6.6 1.2 of a kind that is read by two requests, the other one is cut where one fails', async () => {
  const client = new FakeKubeClient((request) => {
    if (request.path.endsWith('/scale')) throw refusal(500, 'InternalError');
    return request.path.endsWith('/main') ? new Promise(() => undefined) : { resources };
  });
  const scaler = scalerOn(client);
  expect(await scaler.read(shoot, etcd, { urgent: false })).toMatchObject({ outcome: 'failed' });
  const other = client.asked.find((request) => request.path.endsWith('/main'));
  expect(other?.signal?.aborted).toBe(true);
});

test('6.1 6.6 the status in the answer to a write of a Scale is from before it: it does not count yet', async () => {
  const client = new FakeKubeClient(({ method }) =>
    method === 'GET'
      ? { resources }
      : { metadata: { resourceVersion: '11' }, spec: { replicas: 0 }, status: { replicas: 0 } },
  );
  const marked = present({ marked: true, record: '2' });
  expect(await scalerOn(client).write(shoot, etcd, marked, { replicas: 0 }, options)).toMatchObject({
    outcome: 'written',
    view: { resourceVersion: '11', replicas: 0, observed: false },
  });
});

test.each(['urgent', 'healing'])(
  '1.2 6.6 each request of a read and of a write is in its lane (%s), discovery included',
  async (lane) => {
    const urgent = lane === 'urgent';
    const client = new FakeKubeClient(({ path }) =>
      path.endsWith('v1alpha1') ? { resources } : { metadata: { resourceVersion: '1' }, spec: {} },
    );
    await scalerOn(client).read(shoot, etcd, { urgent });
    await scalerOn(client).write(shoot, etcd, seen, { replicas: 0 }, { ...options, urgent });
    expect(client.asked.map(({ method, lane: its }) => [method, its])).toEqual(
      ['GET', 'GET', 'GET', 'GET', 'PATCH'].map((method) => [method, lane]),
    );
  },
);

const machine = (node: string): object => ({
  metadata: { labels: { node } },
  status: { currentStatus: { phase: 'Running' } },
});

const machineList = (items: unknown, next = ''): object => ({
  kind: 'MachineList',
  metadata: next === '' ? {} : { continue: next },
  items,
});

test('5.2 Machines are asked for page by page, urgently, within the deadline', async () => {
  const clock = new VirtualClock(1_000);
  const client = new FakeKubeClient(({ query }) => {
    const last = query?.['continue'] === 'more';
    return machineList([machine(last ? 'b' : 'a'), { metadata: { name: 'not yet a node' } }], last ? '' : 'more');
  });
  const answer = await listMachines(client, clock, 6_000);
  expect(answer).toEqual({
    ok: true,
    value: [
      { node: 'a', phase: 'Running' },
      { node: 'b', phase: 'Running' },
    ],
  });
  const path = `/apis/machine.sapcloud.io/v1alpha1/namespaces/${shoot}/machines`;
  expect(client.asked).toMatchObject([
    { method: 'GET', path, query: { limit: '500' }, lane: 'urgent', timeout: 5_000 },
    { method: 'GET', path, query: { limit: '500', continue: 'more' }, lane: 'urgent', timeout: 5_000 },
  ]);
  expect(clock.sleeping).toBe(0);
});

const failures: [KubeErrorKind, number, string][] = [
  ['status', 401, 'unauthorized'],
  ['status', 403, 'unauthorized'],
  ['status', 429, 'throttled'],
  ['status', 500, 'refused'],
  ['garbled', 0, 'garbled'],
  ['certificate', 0, 'certificate'],
  ['unreachable', 0, 'unreachable'],
  ['timeout', 0, 'timeout'],
  ['overloaded', 0, 'timeout'],
];

test.each(failures)('5.2 Machines that fail by %s %i are reported as %s', async (kind, status, reason) => {
  const client = new FakeKubeClient(() => {
    throw new KubeError(kind, 'said', { status, retryAfter: status === 429 ? 7_000 : undefined });
  });
  expect(await listMachines(client)).toEqual({
    ok: false,
    failure: { stage: 'machines', reason, detail: 'said', ...(status === 429 ? { retryAfter: 7_000 } : {}) },
  });
});

const machinesOf = (answer: () => unknown) => listMachines(new FakeKubeClient(answer));

test('5.2 S1 a seed that does not serve the kind gives no answer; pages without end and what is no list are refused', async () => {
  expect(await machinesOf(() => Promise.reject(refusal(404)))).toMatchObject({
    ok: false,
    failure: { reason: 'refused' },
  });
  let page = 0;
  expect(await machinesOf(() => machineList([], String(page++)))).toMatchObject({ failure: { reason: 'tooLarge' } });
  expect(page).toBe(100);
  expect(await machinesOf(() => machineList([], 'same'))).toMatchObject({ failure: { reason: 'garbled' } });
  expect(await machinesOf(() => machineList('many'))).toMatchObject({ failure: { reason: 'garbled' } });
  expect(await machinesOf(() => ({ kind: 'PodList', items: [] }))).toMatchObject({ failure: { reason: 'garbled' } });
});

test('5.2 4.7 a list of Machines whose next page has expired goes on by the token that came with it, and else in one', async () => {
  for (const next of ['now', undefined]) {
    const asked: unknown[] = [];
    const client = new FakeKubeClient(({ query }) => {
      asked.push(query);
      if (query?.['continue'] === 'more') throw new KubeError('status', 'gone', { status: 410, next });
      return machineList([machine(`n${asked.length}`)], asked.length === 1 ? 'more' : '');
    });
    const answer = await listMachines(client);
    const last = next === undefined ? {} : { limit: '500', continue: 'now' };
    expect(asked).toEqual([{ limit: '500' }, { limit: '500', continue: 'more' }, last]);
    expect(answer.ok && answer.value.map(({ node }) => node)).toEqual(next === undefined ? ['n3'] : ['n1', 'n3']);
  }
});

const crowd = (count: number, change: object) => Array.from({ length: count }, () => ({ ...machine('a'), ...change }));

test.each<[string, unknown]>([
  [
    'one that is larger than a node can make it',
    crowd(1, { metadata: { labels: { node: 'a', x: 'x'.repeat(300_000) } } }),
  ],
  ['more than 10,000', crowd(10_001, {})],
  [
    'labels by the thousand',
    crowd(1, { metadata: { labels: Object.fromEntries(Array.from({ length: 3_000 }, (_, key) => [`${key}`, ''])) } }),
  ],
  ['names that no node has, by the million letters', crowd(8_000, { metadata: { labels: { node: 'x'.repeat(253) } } })],
])('4.7 Machines are a stranger’s too: %s is too large', async (_name, items) => {
  expect(await machinesOf(() => machineList(items))).toMatchObject({
    ok: false,
    failure: { stage: 'machines', reason: 'tooLarge' },
  });
});

test('5.2 the deadline holds while the request waits, and so does the end of the probe', async () => {
  const clock = new VirtualClock();
  const client = new FakeKubeClient(
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new KubeError('withdrawn', 'waited')));
      }),
  );
  const machines = kubeMachineApi(client, clock);
  const late = machines.listMachines(shoot, 5_000, never, { urgent: true });
  const end = new AbortController();
  const cut = machines.listMachines(shoot, 9_000, end.signal, { urgent: true });
  await clock.advanceTo(5_000);
  expect(await late).toMatchObject({ ok: false, failure: { reason: 'timeout' } });
  end.abort();
  expect(await cut).toMatchObject({ ok: false });
  expect(clock.sleeping).toBe(0);
});

test.each<[string, typeof deployment, ResourceChange, (path: string) => unknown]>([
  [
    'a webhook holds the replicas',
    deployment,
    { replicas: 0, mark: true, record: 2 },
    () => ({ metadata: { resourceVersion: '8' }, spec: { replicas: 2 } }),
  ],
  [
    'a 200 changes nothing, and has no new version',
    deployment,
    { mark: true, record: 2 },
    () => ({ metadata: { resourceVersion: '7' }, spec: { replicas: 2 } }),
  ],
  [
    'a scale subresource ignores it',
    etcd,
    { replicas: 0 },
    (path) => (path.endsWith('/scale') ? { metadata: { resourceVersion: '7' }, spec: { replicas: 2 } } : { resources }),
  ],
])('6.8 an answer that shows otherwise is no write: %s', async (_, ref, change, answer) => {
  const scaler = scalerOn(new FakeKubeClient(({ path }) => answer(path)));
  const marked = { ...seen, marked: true, record: '2' };
  const written = await scaler.write(shoot, ref, change.mark === true ? seen : marked, change, options);
  expect(written).toMatchObject({ outcome: 'undone', view: { replicas: 2 } });
});
