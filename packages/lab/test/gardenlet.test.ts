import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { configFileOf } from '../gardener/command-of.ts';
import { differencesOf } from '../gardener/differences-of.ts';
import { newest, releases, renderingOf, theOnly } from '../gardener/rendering.ts';
import { configOfSeed } from 'dependency-watchdog/commands/seed-config.ts';
import { FakeKubeClient } from '@dwd/testing/fake-kube-client.ts';
import { grantingsOf, type GrantFile } from '@dwd/testing/gardener-rbac.ts';

const rendering = renderingOf(newest);

type Fields = Readonly<Record<string, unknown>>;
type DeploymentSpec = Fields &
  Readonly<{
    template: Readonly<{
      metadata: Readonly<{ labels: object }>;
      spec: Fields & Readonly<{ containers: readonly Fields[] }>;
    }>;
  }>;

const roles = ['prober', 'weeder'] as const;
const shipped = (file: string): unknown =>
  parse(readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8'));

const grantKinds = ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'];
const byKind = (manifests: readonly Readonly<{ kind: string }>[]) =>
  manifests.toSorted((one, other) => (one.kind < other.kind ? -1 : 1));

test.for(roles)('1.7 8 what Gardener’s own code grants the %s is what deploy/ grants it', (role) => {
  const granted = rendering[role].filter(({ kind }) => grantKinds.includes(kind));
  expect(granted).toHaveLength(grantKinds.length);
  expect(byKind(grantingsOf(`base/${role}/rbac.yaml` satisfies GrantFile))).toEqual(byKind(granted));
});

test.for(releases)('9.8 what gardenlet %s deploys is where status finds its configuration', async (release) => {
  const { prober } = renderingOf(release);
  const client = new FakeKubeClient(({ path }) => prober.find(({ metadata: { name } }) => path.endsWith(`/${name}`)));
  const { from, text } = await configOfSeed(client, 'garden');
  expect(from).toMatch(/^the ConfigMap garden\/dependency-watchdog-prober-config-[0-9a-f]{8}$/);
  expect(text).toContain('dependentResourceInfos:');
});

test('1.7 8 what Gardener’s own code grants the prober in a shoot is what deploy/ grants it', () => {
  const ours = grantingsOf('shoot/rbac.yaml');
  const account = ours.find(({ kind }) => kind === 'ServiceAccount');
  const grants = ours.filter((one) => one !== account);
  expect(byKind(grants)).toEqual(byKind(rendering.accessInShoot));
  // gardener-resource-manager makes the account that the Secret asks for.
  expect(theOnly(rendering.accessInSeed, 'Secret').metadata.annotations).toEqual({
    'serviceaccount.resources.gardener.cloud/name': account?.metadata.name,
    'serviceaccount.resources.gardener.cloud/namespace': account?.metadata.namespace,
  });
});

test.for(roles)('1.7 the %s’s configuration in deploy/ is gardenlet’s', (role) => {
  expect(shipped(`base/${role}/dep-config.yaml`)).toEqual(parse(configFileOf(role).text));
});

test.for(roles)(
  '1.7 the %s’s Deployment in deploy/ says all that gardenlet’s says, but for the memory limit',
  (role) => {
    const { annotations: _byContent, ...metadata } = theOnly(rendering[role], 'Deployment').metadata;
    // An empty strategy is none.
    const { template, strategy: _none, ...spec } = theOnly(rendering[role], 'Deployment')['spec'] as DeploymentSpec;
    // The ConfigMap's name is made of its content, the priority class is an overlay's, and the image is a placeholder.
    const { containers, volumes: _ofContent, priorityClassName: _ofOverlay, ...pod } = template.spec;
    const [{ image: _placeholder, ports, resources, ...container } = {}] = containers;
    const { labels } = template.metadata;
    const { requests, limits } = resources as Readonly<{ requests: object; limits: object }>;
    expect(limits).toEqual({ memory: '512Mi' });

    const ours = shipped(`base/${role}/deployment.yaml`) as Readonly<{ metadata: object; spec: DeploymentSpec }>;
    const [our = {}] = ours.spec.template.spec.containers;
    expect(ours).toMatchObject({ metadata, spec: { ...spec, template: { metadata: { labels }, spec: pod } } });
    expect(our).toMatchObject({ ...container, resources: { requests }, volumeMounts: our['volumeMounts'] });
    expect(our['ports']).toEqual(expect.arrayContaining(ports as object[]));
    expect(our['volumeMounts']).toEqual(expect.arrayContaining(container['volumeMounts'] as object[]));
  },
);

test('differences of renderings are told by their smallest place', () => {
  const changed = structuredClone(rendering) as typeof rendering & { prober: { metadata: { name: string } }[] };
  expect(differencesOf(rendering, changed)).toEqual([]);
  const at = changed.prober.findIndex(({ kind }) => kind === 'ServiceAccount');
  changed.prober[at]!.metadata.name = 'other';
  expect(differencesOf(rendering, changed)).toEqual([
    { place: 'prober ServiceAccount metadata.name', before: '"dependency-watchdog-prober"', after: '"other"' },
  ]);
});

test('between two releases of Gardener only the autoscalers have changed, and an empty key of the kubeconfig', () => {
  expect(differencesOf(renderingOf('v1.130.0'), rendering).map(({ place }) => place)).toEqual([
    ...roles.map((role) => `${role} VerticalPodAutoscaler spec.resourcePolicy.containerPolicies`),
    'accessInSeed Secret stringData.kubeconfig.preferences',
  ]);
});
