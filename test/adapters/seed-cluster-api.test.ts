import { expect, test } from 'vitest';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import { kubeClusterApi } from '../../src/adapters/seed/cluster-api.ts';
import { FakeKubeClient } from '../support/fake-kube-client.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const never = new AbortController().signal;
const fails = (error: KubeError) =>
  kubeClusterApi(
    new FakeKubeClient(() => {
      throw error;
    }),
    new VirtualClock(),
  ).readCluster('shoot--a--b', 10_000, never);

const notFound = (message: string, reason = 'NotFound') =>
  fails(new KubeError('status', message, { status: 404, reason }));

test('3.5 1.2 the one Cluster is asked for, urgently', async () => {
  const client = new FakeKubeClient(() => ({ spec: {} }));
  const answer = await kubeClusterApi(client, new VirtualClock()).readCluster('shoot--a--b', 10_000, never);
  expect(answer).toMatchObject({ outcome: 'read' });
  expect(client.asked).toMatchObject([
    { method: 'GET', path: '/apis/extensions.gardener.cloud/v1alpha1/clusters/shoot--a--b', lane: 'urgent' },
  ]);
});

test('3.5 only what says so is gone: a seed that serves no Clusters, or a proxy, says 404 as well', async () => {
  const own =
    'get clusters shoot--a--b was answered 404 NotFound: clusters.extensions.gardener.cloud "shoot--a--b" not found';
  expect(await notFound(own)).toEqual({ outcome: 'gone' });
  expect(await notFound('the server could not find the requested resource')).toMatchObject({ outcome: 'failed' });
  expect(await notFound(own, '')).toMatchObject({ outcome: 'failed' });
});

test('3.5 whatever else happens is a failure, in one line', async () => {
  for (const kind of ['timeout', 'unreachable', 'garbled', 'overloaded', 'withdrawn', 'aborted'] as const)
    expect(await fails(new KubeError(kind, `it was ${kind}`))).toEqual({ outcome: 'failed', detail: `it was ${kind}` });
  expect(await fails(new KubeError('status', 'no', { status: 403 }))).toEqual({ outcome: 'failed', detail: 'no' });
});

test('3.5 the deadline holds in the queue as well, and leaves nothing behind', async () => {
  const clock = new VirtualClock();
  const client = new FakeKubeClient(
    ({ signal }) =>
      new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(new KubeError('withdrawn', 'it waited too long'))),
      ),
  );
  const asked = kubeClusterApi(client, clock).readCluster('shoot--a--b', 10_000, never);
  await clock.advanceBy(10_000);
  expect(await asked).toEqual({ outcome: 'failed', detail: 'it waited too long' });
  expect(clock.sleeping).toBe(0);
});
