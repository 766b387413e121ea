import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';
import { defineKinds } from '../../hack/real/seed-objects.ts';
import { clusterObject } from '../../src/simulator/shoot/shoot-objects.ts';
import { fetchFrom } from '../process/served.ts';
import { Program } from '../support/program.ts';
import { accepted, BareSeed } from './bare-seed.ts';
import { kustomized, templated, type Manifest } from './render.ts';
import { renderings } from './renderings.ts';

type Probe = Readonly<{ httpGet: Readonly<{ path: string; port: string }> }>;
type Named = Readonly<{ name: string }>;

/** A Deployment, as far as a kubelet reads it to start its container. */
type Deployment = Manifest &
  Readonly<{
    spec: Readonly<{
      template: Readonly<{
        spec: Readonly<{
          serviceAccountName: string;
          containers: readonly Readonly<{
            command: readonly string[];
            ports: readonly (Named & Readonly<{ containerPort: number }>)[];
            livenessProbe: Probe;
            readinessProbe: Probe;
            volumeMounts: readonly (Named & Readonly<{ mountPath: string }>)[];
          }>[];
          volumes: readonly (Named &
            Readonly<{
              configMap?: Named;
              projected?: Readonly<{
                sources: readonly Readonly<{ serviceAccountToken?: Readonly<{ expirationSeconds: number }> }>[];
              }>;
            }>)[];
        }>;
      }>;
    }>;
  }>;

type ConfigMap = Manifest & Readonly<{ data: Readonly<Record<string, string>> }>;

const roles = ['prober', 'weeder'] as const;
type Role = (typeof roles)[number];

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
  await Promise.all([seed.define('VerticalPodAutoscaler'), seed.define('PodMonitor'), defineKinds(seed.api)]);
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

function deploymentOf(manifests: readonly Manifest[], role: Role): Deployment {
  const found = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith(role));
  if (found === undefined) throw new Error(`no Deployment of the ${role}`);
  return found as Deployment;
}

function containerOf({ spec }: Deployment) {
  const [container] = spec.template.spec.containers;
  if (container === undefined) throw new Error('no container');
  return container;
}

/** Puts a pod's volumes where this process may write, as a kubelet puts them below /. Answers with that place. */
function placed(manifests: readonly Manifest[], deployment: Deployment, pod: string): string {
  const root = join(directory, pod);
  const { volumes } = deployment.spec.template.spec;
  for (const { name, mountPath } of containerOf(deployment).volumeMounts) {
    mkdirSync(join(root, mountPath), { recursive: true });
    const wanted = volumes.find((volume) => volume.name === name)?.configMap?.name;
    const configMap = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === wanted);
    for (const [file, text] of Object.entries((configMap as ConfigMap | undefined)?.data ?? {}))
      writeFileSync(join(root, mountPath, file), text);
  }
  return root;
}

/** A kubeconfig by the token that the pod's volume asks for. */
async function kubeconfigFor({ spec, metadata }: Deployment, root: string): Promise<string> {
  const { serviceAccountName: name, volumes } = spec.template.spec;
  const [token] = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  const { body } = await seed.api.call(
    'POST',
    `/api/v1/namespaces/${metadata.namespace}/serviceaccounts/${name}/token`,
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: token?.serviceAccountToken },
  );
  const { status } = body as { status: { token: string } };
  const files = { tokenFile: join(root, 'token'), 'certificate-authority': join(root, 'ca.crt') };
  writeFileSync(files.tokenFile, status.token);
  writeFileSync(files['certificate-authority'], seed.api.reach.ca);
  const path = join(root, 'kubeconfig');
  const kubeconfig = {
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server: seed.api.url, 'certificate-authority': files['certificate-authority'] } }],
    users: [{ name, user: { tokenFile: files.tokenFile } }],
  };
  writeFileSync(path, JSON.stringify(kubeconfig));
  return path;
}

/** Starts the program as the Deployment says, but for where its files are, its ports, and how it finds the seed. */
async function started(test: TestContext, manifests: readonly Manifest[], role: Role, pod: string): Promise<Program> {
  const deployment = deploymentOf(manifests, role);
  const root = placed(manifests, deployment, pod);
  const [executable, ...args] = containerOf(deployment).command;
  expect(executable).toBe('/usr/local/bin/dependency-watchdog');
  return new Program(test, [
    ...args.map((arg) => arg.replace(/=(\/(?:etc|var)\/)/, `=${root}$1`)),
    `--kubeconfig=${await kubeconfigFor(deployment, root)}`,
    ...['metrics', 'health'].map((what) => `--${what}-bind-addr=127.0.0.1:0`),
    '--inspector-bind-addr=0',
  ]);
}

for (const [source, rendered] of Object.entries(sources))
  test.for(roles)(
    `1.7 9.3 the %s runs as ${source} says: both replicas are ready, one leads`,
    async (role, context) => {
      const manifests = await rendered();
      for (const manifest of manifests) expect(await seed.apply(manifest)).toEqual(accepted);
      // Of a former test, whose processes were killed.
      await seed.api.call('DELETE', `${leases}/dwd-${role}-leader-election`, undefined, [404]);
      const { livenessProbe, readinessProbe, ports } = containerOf(deploymentOf(manifests, role));

      const first = await started(context, manifests, role, `${source}-${role}-1`);
      await first.line('leadership', { leadership: 'leading' });
      const second = await started(context, manifests, role, `${source}-${role}-2`);
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
