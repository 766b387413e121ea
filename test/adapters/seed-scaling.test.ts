import { expect, test } from 'vitest';
import type { PresentResource } from '../../src/domain/prober/resource-view.ts';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import { kubeClusterApi } from '../../src/adapters/seed/cluster-api.ts';
import { kubeMachineApi } from '../../src/adapters/seed/machine-api.ts';
import { kubeScaler } from '../../src/adapters/seed/scaler.ts';
import { FakeKubeClient } from '../support/fake-kube-client.ts';
import { present } from '../support/views.ts';
import { settled, VirtualClock } from '../support/virtual-clock.ts';

const shoot = 'shoot--a--b';
const etcd = { apiVersion: 'druid.gardener.cloud/v1alpha1', kind: 'Etcd', name: 'main' };
const resources = [
  { name: 'etcds', kind: 'Etcd', namespaced: true },
  { name: 'etcds/scale', kind: 'Scale', namespaced: true },
];
const never = new AbortController().signal;

test('6.1 6.6 the status in the answer to a write of a Scale is from before it: it does not count yet', async () => {
  const client = new FakeKubeClient(({ method }) =>
    method === 'GET'
      ? { resources }
      : { metadata: { resourceVersion: '11' }, spec: { replicas: 0 }, status: { replicas: 0 } },
  );
  const scaler = kubeScaler({ client, clock: new VirtualClock() });
  const options = { urgent: true, withdrawn: never };
  expect(
    await scaler.write(shoot, etcd, present({ marked: true, record: '2' }), { replicas: 0 }, options),
  ).toMatchObject({
    outcome: 'written',
    view: { resourceVersion: '11', replicas: 0, observed: false },
  });
});

test.each(['urgent', 'healing'])(
  '1.2 6.6 each request of a read is in the lane of the read (%s), discovery included',
  async (lane) => {
    const client = new FakeKubeClient(({ path }) =>
      path.endsWith('v1alpha1') ? { resources } : { metadata: { resourceVersion: '1' }, spec: {} },
    );
    await kubeScaler({ client, clock: new VirtualClock() }).read(shoot, etcd, { urgent: lane === 'urgent' });
    expect(client.asked).toHaveLength(3);
    expect(client.asked.map((asked) => asked.lane)).toEqual([lane, lane, lane]);
  },
);

test.each(['urgent', 'healing'])('1.2 6.6 so is each request of a write (%s), discovery included', async (lane) => {
  const client = new FakeKubeClient(({ path }) =>
    path.endsWith('v1alpha1') ? { resources } : { metadata: { resourceVersion: '2' }, spec: {} },
  );
  const seen: PresentResource = {
    found: true,
    resourceVersion: '1',
    replicas: 1,
    readyReplicas: 1,
    observed: true,
    marked: false,
    ignored: false,
  };
  const options = { urgent: lane === 'urgent', withdrawn: never };
  await kubeScaler({ client, clock: new VirtualClock() }).write(shoot, etcd, seen, { replicas: 0 }, options);
  expect(client.asked.map(({ method, lane: its }) => [method, its])).toEqual([
    ['GET', lane],
    ['PATCH', lane],
  ]);
});

test('5.2 a list of Machines ends with its probe, and at its deadline, though the seed says nothing', async () => {
  const clock = new VirtualClock();
  const client = new FakeKubeClient(
    ({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('cut')))),
  );
  const machines = kubeMachineApi(client, clock);
  const probe = new AbortController();
  void machines.listMachines(shoot, 30_000, probe.signal, { urgent: true }).catch(() => undefined);
  void machines.listMachines(shoot, 30_000, never, { urgent: true }).catch(() => undefined);
  await settled();
  const isCut = () => client.asked.map(({ signal }) => signal?.aborted);
  expect(isCut()).toEqual([false, false]);
  probe.abort();
  expect(isCut()).toEqual([true, false]);
  await clock.advanceBy(30_000);
  expect(isCut()).toEqual([true, true]);
  expect(clock.sleeping).toBe(0);
});

test.each([
  [404, 'NotFound', `clusters.extensions.gardener.cloud "${shoot}" not found`, 'gone'],
  [404, 'NotFound', 'the server could not find the requested resource', 'failed'],
  [404, '', '404 page not found', 'failed'],
  [403, 'Forbidden', `clusters.extensions.gardener.cloud "${shoot}" is forbidden`, 'failed'],
])('3.5 a Cluster that is asked for and answered %i %s, %s: %s', async (status, reason, message, outcome) => {
  const client = new FakeKubeClient(() => {
    throw new KubeError('status', message, { status, reason });
  });
  const clusters = kubeClusterApi(client, new VirtualClock());
  expect(await clusters.readCluster(shoot, 30_000, never)).toMatchObject({ outcome });
  expect(client.asked).toMatchObject([{ lane: 'urgent', timeout: 3_000 }]);
});
