import { expect, test } from 'vitest';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import { kubeClusterApi } from '../../src/adapters/seed/cluster-api.ts';
import { FakeKubeClient } from '@dwd/testing/fake-kube-client.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

const shoot = 'shoot--a--b';
const never = new AbortController().signal;

test.each([
  [404, 'NotFound', `clusters.extensions.gardener.cloud "${shoot}" not found`, 'gone'],
  [404, 'NotFound', 'the server could not find the requested resource', 'failed'],
  [404, '', '404 page not found', 'failed'],
  [403, 'Forbidden', `clusters.extensions.gardener.cloud "${shoot}" is forbidden`, 'failed'],
])(
  '3.5 1.2 a Cluster that is asked for, urgently, and answered %i %s, %s: %s',
  async (status, reason, message, outcome) => {
    const client = new FakeKubeClient(() => {
      throw new KubeError('status', message, { status, reason });
    });
    const clusters = kubeClusterApi(client, new VirtualClock());
    expect(await clusters.readCluster(shoot, 30_000, never)).toMatchObject({ outcome });
    expect(client.asked).toMatchObject([{ lane: 'urgent', timeout: 3_000 }]);
  },
);

test('3.5 whatever else happens is a failure, in one line', async () => {
  for (const kind of ['timeout', 'unreachable', 'garbled', 'overloaded', 'withdrawn', 'aborted'] as const) {
    const client = new FakeKubeClient(() => {
      throw new KubeError(kind, `it was ${kind}`);
    });
    const answer = await kubeClusterApi(client, new VirtualClock()).readCluster(shoot, 10_000, never);
    expect(answer).toEqual({ outcome: 'failed', detail: `it was ${kind}` });
  }
});

test('3.5 the deadline holds in the queue as well, and leaves nothing behind', async () => {
  const clock = new VirtualClock();
  const client = new FakeKubeClient(
    ({ signal }) =>
      new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(new KubeError('withdrawn', 'it waited too long'))),
      ),
  );
  const asked = kubeClusterApi(client, clock).readCluster(shoot, 10_000, never);
  await clock.advanceBy(10_000);
  expect(await asked).toEqual({ outcome: 'failed', detail: 'it waited too long' });
  expect(clock.sleeping).toBe(0);
});
