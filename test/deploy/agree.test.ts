import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineKinds } from '@dwd/lab/real/seed-objects.ts';
import { clusterObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { fetchFrom } from '../process/served.ts';
import { Program } from '@dwd/testing/program.ts';
import { containerOf, deploymentOf, startedAsDeployed } from './as-deployed.ts';
import { BareSeed } from './bare-seed.ts';
import { kustomized, templated } from './render.ts';
import { renderings } from './renderings.ts';

const roles = ['prober', 'weeder'] as const;

const settings = renderings.find(({ overlay }) => overlay === 'everything')?.settings ?? [];
const sources = {
  kustomize: () => kustomized('deploy/overlays/everything'),
  helm: () => templated(settings),
} as const;

let seed: BareSeed;
const leases = '/apis/coordination.k8s.io/v1/namespaces/garden/leases';
const shoot = 'shoot--deploy--one';
const directory = mkdtempSync(join(tmpdir(), 'dwd-agree-'));

beforeAll(async () => {
  seed = await BareSeed.start();
  await Promise.all([
    seed.define('VerticalPodAutoscaler'),
    seed.define('PodMonitor'),
    seed.define('PrometheusRule'),
    defineKinds(seed.api),
  ]);
  for (const name of ['garden', shoot]) await seed.api.call('POST', '/api/v1/namespaces', { metadata: { name } });
  // Something to keep a journal of, for each role.
  const cluster = { apiVersion: 'extensions.gardener.cloud/v1alpha1', kind: 'Cluster', ...clusterObject(shoot) };
  await seed.api.call('POST', '/apis/extensions.gardener.cloud/v1alpha1/clusters', cluster);
  await seed.api.call('POST', `/apis/discovery.k8s.io/v1/namespaces/${shoot}/endpointslices`, {
    metadata: { name: 'etcd', labels: { 'kubernetes.io/service-name': 'etcd-main-client' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.0.1'], conditions: { ready: true } }],
  });
});

afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await seed?.close();
});

const place = (pod: string) => ({ seed, root: join(directory, pod) });

for (const [source, rendered] of Object.entries(sources))
  test.for(roles)(
    `1.7 9.3 the %s runs as ${source} says: both replicas are ready, one leads`,
    async (role, context) => {
      const manifests = await rendered();
      await seed.install(manifests);
      // Of a former test, whose processes were killed.
      await seed.api.call('DELETE', `${leases}/dwd-${role}-leader-election`, undefined, [404]);
      const { livenessProbe, readinessProbe, ports } = containerOf(deploymentOf(manifests, role));

      const first = await startedAsDeployed(context, manifests, role, place(`${source}-${role}-1`));
      await first.line('leadership', { leadership: 'leading' });
      const second = await startedAsDeployed(context, manifests, role, place(`${source}-${role}-2`));
      for (const program of [first, second])
        for (const { httpGet } of [livenessProbe, readinessProbe]) {
          expect(ports.map(({ name }) => name)).toContain(httpGet.port);
          await expect.poll(async () => (await fetchFrom(program, 'health', httpGet.path)).status).toBe(200);
        }
      expect(second.lines.filter(({ leadership }) => leadership === 'leading')).toEqual([]);
      const journal = join(directory, `${source}-${role}-1`, 'var/lib/dependency-watchdog');
      await expect.poll(() => readdirSync(journal)).not.toEqual([]);
      first.kill('SIGTERM');
      expect(await first.end()).toMatchObject({ code: 0 });
      await second.line('leadership', { leadership: 'leading' });
    },
  );

test.for(roles)('1.7 the ports of the container are those that the %s takes by itself', async (role, context) => {
  const { ports } = containerOf(deploymentOf(await kustomized('deploy/overlays/one-replica'), role));
  const { stdout } = await new Program(context, [role, '--help']).end();
  const byItself = [...stdout.matchAll(/--(metrics|health)-bind-addr=[^(]*\(default\s+:(\d+)\)/g)];
  expect(Object.fromEntries(byItself.map(([, name, port]) => [name, Number(port)]))).toEqual(
    Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort])),
  );
});
