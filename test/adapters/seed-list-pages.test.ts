import { expect, test } from 'vitest';
import { ListReader } from '../../src/adapters/reading/list-reader.ts';
import { ProbeFailed } from '../../src/adapters/reading/probe-failed.ts';
import { readListPage } from '../../src/adapters/reflector/wire-format.ts';
import { seedWatch } from '../../src/adapters/seed-watch/seed-watch.ts';
import { labelsOf } from '../../src/domain/read-selector.ts';
import { clusterParts, readCluster } from '../../src/domain/prober/cluster-reading.ts';
import { readResource, resourceParts } from '../../src/domain/prober/resource-view.ts';
import { podParts, readPod } from '../../src/domain/weeder/pod.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { ScriptedSeed } from './seed-watch-scripted.ts';

/** What the seed's answers hold beside what is read. */
const unread = { managedFields: [{ manager: 'gardenlet', fieldsV1: { 'f:metadata': { 'f:labels': {} } } }] };

/** As a list brings the object: only these parts of it. */
function listed(object: unknown, keeps: ReadonlySet<string>, deep = false): unknown {
  const items: unknown[] = [];
  const reader = new ListReader({ keeps, deep, take: (item) => items.push(item) });
  const bytes = Buffer.from(JSON.stringify({ metadata: {}, items: [object] }));
  for (let at = 0; at < bytes.length; at += 64) reader.feed(bytes.subarray(at, at + 64));
  reader.end();
  return items[0];
}

const failed = { exitCode: 1, startedAt: '2026-11-21T12:00:00Z', finishedAt: '2026-11-21T12:00:05Z' };
const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [1] } };
const own = { name: 'two', restartPolicy: 'Never', restartPolicyRules: [rule], livenessProbe: { httpGet: {} } };

const pod = (annotations: Readonly<Record<string, string>>, statuses: string) => ({
  metadata: {
    ...unread,
    name: 'a',
    uid: 'u',
    labels: { role: 'main' },
    annotations,
    creationTimestamp: '2026-01-01T00:00:00Z',
    ownerReferences: [{ controller: true, uid: 'owner' }],
  },
  spec: { containers: [{ name: 'one', env: [{}], resources: {} }, own], initContainers: [own], restartPolicy: 'Never' },
  status: {
    [statuses]: [
      { name: 'one', state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: {}, volumeMounts: [{}] },
      { name: 'two', restartCount: 2, state: { terminated: failed } },
    ],
    conditions: [{}],
  },
});

test.each(['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'])(
  '7.2 of a pod that is listed the same is read as of one that is watched: %s',
  (statuses) => {
    for (const whole of [pod({}, statuses), pod({ 'kubernetes.io/config.mirror': 'x' }, statuses)]) {
      const part = listed(whole, podParts, true);
      expect(readPod(part)).toEqual(readPod(whole));
      const both = statuses === 'ephemeralContainerStatuses' ? ['one'] : ['one', 'two'];
      expect(readPod(part)).toMatchObject({ state: 'waiting', waits: { containers: both } });
      expect(labelsOf(part)).toEqual({ role: 'main' });
      expect(part).toMatchObject({
        spec: { containers: [{ env: 0, resources: 0 }, { livenessProbe: 0 }] },
        metadata: { managedFields: 0 },
        status: { conditions: 0, [statuses]: [{ lastState: 0, volumeMounts: 0 }, {}] },
      });
    }
  },
);

test('6.2 of a dependant that is listed the same is read as of one that is watched', () => {
  const annotations = {
    'dependency-watchdog.gardener.cloud/replicas': '3',
    'dependency-watchdog.gardener.cloud/meltdown-protection-active': '',
    'dependency-watchdog.gardener.cloud/ignore-scaling': 'true',
  };
  const whole = {
    metadata: { ...unread, uid: 'u', resourceVersion: '7', generation: 2, annotations, labels: {} },
    spec: { replicas: 0, template: { spec: {} } },
    status: { replicas: 1, terminatingReplicas: 1, readyReplicas: 1, observedGeneration: 2, conditions: [{}] },
  };
  const part = listed(whole, resourceParts);
  expect(readResource(part)).toEqual(readResource(whole));
  expect(readResource(part)).toMatchObject({ record: '3', marked: true, ignored: true, ending: 2, observed: true });
  expect(part).toMatchObject({ spec: { template: 0 }, status: { conditions: 0 } });
});

test('3.4 of a Cluster that is listed the same is read as of one that is watched, and its cloud profile is not', () => {
  const shoot = {
    metadata: { ...unread, deletionTimestamp: '2026-01-01T00:00:00Z' },
    spec: {
      hibernation: { enabled: true },
      provider: { workers: [{ name: 'w', machineControllerManager: { nodeConditions: ['Bad'] }, controlPlane: {} }] },
      kubernetes: { kubeControllerManager: { nodeMonitorGracePeriod: '50s' } },
    },
    status: { hibernated: true, lastOperation: { type: 'Migrate', state: 'Processing' } },
  };
  const whole = { metadata: { name: 'a' }, spec: { cloudProfile: { spec: {} }, seed: {}, shoot } };
  const part = listed(whole, clusterParts);
  expect(readCluster(part)).toEqual(readCluster(whole));
  expect(readCluster(part)).toMatchObject({ readable: true, cluster: { selfHosted: true, nodeMonitorGrace: 50_000 } });
  expect(part).toMatchObject({ spec: { cloudProfile: 0, seed: 0 } });
});

async function* inPieces(text: string): AsyncGenerator<Buffer> {
  const body = Buffer.from(text);
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
}

const page = (items: string) => `{"metadata":{"resourceVersion":"5","continue":"next"},"items":[${items}]}`;

test('6.2 a page is read item by item, of which each may be as large as etcd takes it', async () => {
  const items: unknown[] = [];
  const take = (item: unknown) => items.push(item);
  const large = `{"metadata":{"name":"${'x'.repeat(1_572_864)}"}}`;
  expect(await readListPage(inPieces(page(`${large},${large}`)), { take })).toEqual({
    next: 'next',
    resourceVersion: '5',
  });
  expect(items).toHaveLength(2);
});

test.each([
  ['{"metadata":{},"items":[]}', 'a list without a version'],
  ['{"kind":"Status"}', 'no list'],
  [page('{"metadata":{'), 'half of a list'],
  [page(`{"metadata":{"name":"${'x'.repeat(9 * 1_048_576)}"}}`), 'an item that no etcd would take'],
])('6.6 an answer that is %.20s fails as garbled: %s', async (text) => {
  await expect(readListPage(inPieces(text), { take: () => undefined })).rejects.toBeInstanceOf(ProbeFailed);
});

test('9.3 the first lists of a seed with 100 shoots take one request for each name', async () => {
  const clock = new VirtualClock();
  const seed = new ScriptedSeed(clock);
  const clusters = '/apis/extensions.gardener.cloud/v1alpha1/clusters';
  for (let number = 0; number < 100; number++) seed.put(clusters, '', `shoot--a--${number}`, { spec: { shoot: {} } });
  const watch = seedWatch({ client: seed, clock, chance: () => 0.5, config: twoPathConfig });
  const running = watch.shoots$.subscribe();
  await settled();
  const lists = seed.asked
    .filter(({ verb }) => verb === 'list')
    .map(({ path, query }) => [path, query['fieldSelector']]);
  expect(lists).toHaveLength(new Set(lists.map(String)).size);
  expect(lists).toContainEqual([clusters, undefined]);
  running.unsubscribe();
});
