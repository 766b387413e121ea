import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { exampleConfigs } from '../../src/commands/example-configs.ts';
import { deploymentOf } from './as-deployed.ts';
import { chart, kustomized, nameOf, normalised, templated } from './render.ts';
import { renderings } from './renderings.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('1.7 each overlay has values of the chart that say the same', () => {
  expect(renderings.map(({ overlay }) => overlay).toSorted()).toEqual(readdirSync(join(root, 'deploy/overlays')));
});

test('1.7 docs/install.md names each overlay and each component', () => {
  const page = read('docs/install.md') + read('deploy/README.md');
  const named = ['overlays', 'components'].flatMap((folder) => readdirSync(join(root, 'deploy', folder)));
  expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test.for(renderings)(
  '1.7 kustomize and helm say the same: $overlay',
  async ({ overlay, settings, onlyOverlay = {} }) => {
    const ours = normalised(await kustomized(`deploy/overlays/${overlay}`));
    const left = Object.fromEntries(Object.entries(ours).filter(([name]) => !(name in onlyOverlay)));
    expect(Object.keys(ours)).toEqual(expect.arrayContaining(Object.keys(onlyOverlay)));
    expect(normalised(await templated(settings))).toEqual(left);
  },
);

const app = (role: string) => ({ app: `dependency-watchdog-${role}` });

test('1.7 what is installed beside gardenlet finds the pods that gardenlet makes, and has no object of its names', async () => {
  const [beside, base] = await Promise.all(
    ['beside-gardenlet', 'one-replica'].map((overlay) => kustomized(`deploy/overlays/${overlay}`)),
  );
  const ofKind = (wanted: string) => beside!.filter(({ kind }) => kind === wanted);
  const pods = ['prober', 'weeder'].map((role) => deploymentOf(base!, role as 'prober' | 'weeder').spec.template);
  expect(pods).toMatchObject(['prober', 'weeder'].map((role) => ({ metadata: { labels: app(role) } })));
  expect(ofKind('Service')).toMatchObject(['prober', 'weeder'].map((role) => ({ spec: { selector: app(role) } })));
  expect(ofKind('PodMonitor')).toMatchObject([
    {
      metadata: { labels: { prometheus: 'aggregate' } },
      spec: {
        selector: {
          matchExpressions: [{ key: 'app', operator: 'In', values: [app('prober').app, app('weeder').app] }],
        },
        podMetricsEndpoints: [{ port: pods[0]!.spec.containers[0]!.ports[0]!.name }],
      },
    },
  ]);
  const gardenlets = new Set(base!.map((manifest) => nameOf(manifest)));
  expect(beside!.filter((manifest) => gardenlets.has(nameOf(manifest)))).toEqual([]);
});

const configMapOf = async (settings: readonly string[]) =>
  (await templated(settings)).find(({ kind }) => kind === 'ConfigMap')?.metadata.name;

test('1.7 a ConfigMap is named by its content', async () => {
  const [usual, again, other] = await Promise.all([
    configMapOf([]),
    configMapOf([]),
    configMapOf(['prober.config.probeInterval="20s"']),
  ]);
  expect(usual).toMatch(/^dependency-watchdog-prober-config-[0-9a-f]{8}$/);
  expect(again).toBe(usual);
  expect(other).not.toBe(usual);
});

test('1.7 in another namespace the chart tells the election where its Lease is', async () => {
  const manifests = await templated([], 'elsewhere');
  const texts = manifests.map((manifest) => JSON.stringify(manifest));
  expect(texts.filter((text) => /"namespace":"garden"/.test(text))).toEqual([]);
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment').map((one) => JSON.stringify(one));
  expect(deployments).toHaveLength(2);
  for (const deployment of deployments) expect(deployment).toContain('"--leader-election-namespace=elsewhere"');
});

test('1.7 one version: of the package, the chart, its program, and the image of the base', () => {
  const { version } = JSON.parse(read('src/package.json')) as { version: string };
  expect(parse(read('deploy/chart/dependency-watchdog/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  for (const role of ['prober', 'weeder'])
    expect(read(`deploy/base/${role}/deployment.yaml`)).toContain(`image: dependency-watchdog:${version}\n`);
});

test('1.7 the values judge a configuration as the schemas for editors do', () => {
  const values = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as {
    properties: Record<string, { properties: { config: unknown } }>;
  };
  for (const role of ['prober', 'weeder']) {
    const { $schema, ...judged } = JSON.parse(read(`docs/schema/${role}-config.schema.json`)) as Record<
      string,
      unknown
    >;
    expect($schema).toBeDefined();
    expect(values.properties[role]?.properties.config).toEqual(judged);
  }
});

test('1.7 2.2 the chart takes two paths, where its own name is set to null', async () => {
  const config = parse(exampleConfigs['two-paths']) as object;
  const settings = [`prober.config=${JSON.stringify({ ...config, kubeConfigSecretName: null })}`];
  const written = normalised(await templated(settings))['ConfigMap garden/dependency-watchdog-prober-config'];
  expect(written).toMatchObject({ data: { 'dep-config.yaml': config } });
  expect(written).not.toHaveProperty(['data', 'dep-config.yaml', 'kubeConfigSecretName']);
});

test.for(['prober', 'weeder'] as const)('1.7 the chart takes the example of %s as it is', async (role) => {
  const config = parse(exampleConfigs[role]) as object;
  const manifests = await templated([`${role}.config=${JSON.stringify(config)}`]);
  const written = normalised(manifests)[`ConfigMap garden/dependency-watchdog-${role}-config`];
  expect(written).toMatchObject({ data: { 'dep-config.yaml': config } });
});
