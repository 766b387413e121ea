import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineKinds } from '@dwd/lab/real/seed-objects.ts';
import { clusterObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { metricsOf } from '../process/served.ts';
import { startedAsDeployed, tokenOf } from './as-deployed.ts';
import { BareSeed } from './bare-seed.ts';
import { checkout, kustomized, templated, type Manifest } from './render.ts';

/** One server is the seed and the shoot: what is granted in one of them is granted to another account than in the other. */
let seed: BareSeed;
const shoot = 'shoot--deploy--one';
const directory = mkdtempSync(join(tmpdir(), 'dwd-access-'));

beforeAll(async () => {
  seed = await BareSeed.start();
  await defineKinds(seed.api);
  for (const name of ['garden', shoot, 'kube-node-lease'])
    await seed.api.call('POST', '/api/v1/namespaces', { metadata: { name } }, [409]);
  await seed.install(await kustomized('deploy/shoot'));
  // Expired: so nodes are asked for as well.
  for (const name of ['node-1', 'node-2'])
    await seed.api.call('POST', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', {
      metadata: { name },
      spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.000000Z' },
    });
});

afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await seed?.close();
});

/** The Secret of `deploy/shoot`, filled in as an operator does it. */
function accessSecret(token: string): Manifest {
  const text = readFileSync(join(checkout, 'deploy/shoot/access-secret.yaml'), 'utf8')
    .replaceAll('https://kube-apiserver.shoot--NAME.svc', seed.api.url)
    .replaceAll('shoot--NAME', shoot)
    .replaceAll('AUTHORITY', Buffer.from(seed.api.reach.ca).toString('base64'))
    .replaceAll('TOKEN', token);
  return parse(text) as Manifest;
}

test('1.7 4.1 4.2 the Secret of a shoot, filled in, brings the prober to the shoot with what it needs there', async (context) => {
  const settings = ['probeInterval="500ms"', 'initialDelay="0s"'].map((one) => `prober.config.${one}`);
  const manifests = await templated(['weeder.enabled=false', ...settings]);
  await seed.install([...manifests, accessSecret('expired')]);
  const cluster = { apiVersion: 'extensions.gardener.cloud/v1alpha1', kind: 'Cluster', ...clusterObject(shoot) };
  await seed.api.call('POST', '/apis/extensions.gardener.cloud/v1alpha1/clusters', cluster);

  const program = await startedAsDeployed(context, manifests, 'prober', { seed, root: join(directory, 'pod') });
  const failures = async () =>
    Object.entries(await metricsOf(program)).filter(([name]) => name.startsWith('dwd_probe_failures_total'));
  await expect.poll(failures).toEqual([[expect.stringContaining('reason="unauthorized"'), expect.any(Number)]]);

  const account = { namespace: 'kube-system', name: 'dependency-watchdog-probe' };
  await seed.install([accessSecret(await tokenOf(seed.api, account))]);
  const probed = async () => (await metricsOf(program))['dwd_probe_duration_seconds_count'] ?? 0;
  const moreProbes = async () => {
    const earlier = await probed();
    while ((await probed()) < earlier + 5) await pause(100);
  };
  // Those that are still on their way with the other token.
  await moreProbes();
  const failed = await failures();
  await moreProbes();
  expect(await failures()).toEqual(failed);
  expect(failed).toHaveLength(1);
});
