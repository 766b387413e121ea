import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { scenarioLabel } from '@dwd/lab/real/operator-client.ts';
import { Cluster } from '@dwd/lab/test/support/cluster.ts';
import { refuseOthersSeed } from '../kind/furnish.ts';
import { clusterServer } from './cluster-server.ts';

const garden = '/api/v1/namespaces/garden';
const lease = '/apis/coordination.k8s.io/v1/namespaces/garden/leases/dwd-prober-leader-election';
const clusters = '/apis/extensions.gardener.cloud/v1alpha1/clusters';
const machines = '/apis/machine.sapcloud.io/v1alpha1/machines';
const ours = { metadata: { name: 'garden', labels: { [scenarioLabel]: 'true' } } };

async function judged(context: TestContext, holds: Readonly<Record<string, unknown>>): Promise<string> {
  const server = await clusterServer(context, { holds });
  const directory = mkdtempSync(join(tmpdir(), 'dwd-seed-'));
  context.onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'config');
  writeFileSync(file, server.kubeconfig);
  const cluster = await Cluster.by(file);
  const judgement = await refuseOthersSeed(cluster).then(
    () => 'taken',
    (error: Error) => error.message,
  );
  expect(server.asked.filter((asked) => !asked.startsWith('GET '))).toEqual([]);
  return judgement;
}

const heldBy = (holderIdentity: string, renewedAgo: number) => ({
  spec: { holderIdentity, renewTime: new Date(Date.now() - renewedAgo).toISOString() },
});

test('a cluster without a garden, or with kinds of Gardener that nobody uses, is taken', async (context) => {
  expect(await judged(context, {})).toBe('taken');
  expect(await judged(context, { [clusters]: { items: [] }, [machines]: { items: [] } })).toBe('taken');
});

test('one with a garden, a shoot or a machine of somebody else is refused before anything is written', async (context) => {
  const refusal = 'it may be a real seed. Take another one.';
  expect(await judged(context, { [garden]: { metadata: { name: 'garden' } } })).toContain(refusal);
  expect(await judged(context, { [clusters]: { items: [{}] } })).toContain(
    `clusters.extensions.gardener.cloud already: ${refusal}`,
  );
  expect(await judged(context, { [machines]: { items: [{}] } })).toContain(
    `machines.machine.sapcloud.io already: ${refusal}`,
  );
});

test('what a run of ours left is taken, unless it still runs', async (context) => {
  const left = { [garden]: ours, [clusters]: { items: [{}] } };
  expect(await judged(context, left)).toBe('taken');
  expect(await judged(context, { ...left, [lease]: heldBy('prober', 60_000) })).toBe('taken');
  expect(await judged(context, { ...left, [lease]: heldBy('', 1_000) })).toBe('taken');
  expect(await judged(context, { ...left, [lease]: heldBy('prober', 1_000) })).toBe(
    'Another run of the scenarios is under way in this cluster.',
  );
});
