import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { BareSeed } from './bare-seed.ts';
import { fileOfModule, type Definition } from './foreign-definitions.ts';
import { checkout, type Manifest } from './render.ts';

let seed: BareSeed;

type Policy = Readonly<{ containerName: string; minAllowed?: object; mode?: string }>;

const floors = { 'dependency-watchdog-prober': '50Mi', 'dependency-watchdog-weeder': '25Mi' } as const;
const raised = expect.objectContaining({ minAllowed: { cpu: '200m', memory: '256Mi' } }) as unknown;

/** As gardenlet of v1.136 writes it; older ones have one policy, for all containers. */
const ofToday = (memory: string): readonly Policy[] => [
  { containerName: 'dependency-watchdog', minAllowed: { memory } },
  { containerName: '*', mode: 'Off' },
];
const ofOld = (memory: string): readonly Policy[] => [{ containerName: '*', minAllowed: { memory } }];

function autoscaler(name: string, containerPolicies: readonly Policy[]): Manifest {
  const targetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name };
  const spec = { targetRef, updatePolicy: { updateMode: 'InPlaceOrRecreate' }, resourcePolicy: { containerPolicies } };
  const metadata = { name, namespace: 'garden' };
  return { apiVersion: 'autoscaling.k8s.io/v1', kind: 'VerticalPodAutoscaler', metadata, spec } as Manifest;
}

const stored = async (name: string) => {
  const path = `/apis/autoscaling.k8s.io/v1/namespaces/garden/verticalpodautoscalers/${name}`;
  return (await seed.api.call('GET', path)).body as {
    metadata: { resourceVersion: string };
    spec: { resourcePolicy: { containerPolicies: readonly Policy[] } };
  };
};

/** The policies that are there once it was written. */
async function written(manifest: Manifest): Promise<readonly Policy[]> {
  await seed.install([manifest]);
  return (await stored(manifest.metadata.name)).spec.resourcePolicy.containerPolicies;
}

type PolicyOfAdmission = Manifest & Readonly<{ spec: Readonly<Record<string, unknown>> }>;

const manifestsOf = (file: string, version: string): readonly PolicyOfAdmission[] =>
  parseAllDocuments(
    readFileSync(join(checkout, 'deploy/seed', file), 'utf8').replaceAll('k8s.io/v1\n', `k8s.io/${version}\n`),
  ).map((document) => document.toJS() as PolicyOfAdmission);

/** What docs/gardener.md tells to switch on where the API server is of 1.34 or 1.35, which have the policies in beta. */
const beta = [
  '--feature-gates=MutatingAdmissionPolicy=true',
  '--runtime-config=admissionregistration.k8s.io/v1beta1=true',
];

describe.each([
  ['v1', []],
  ['v1beta1', beta],
])('a policy of %s', (version, flags) => {
  beforeAll(async () => {
    seed = await BareSeed.start(flags);
    await seed.define('VerticalPodAutoscaler');
    await seed.api.call('POST', '/api/v1/namespaces', { metadata: { name: 'garden' } });
    await seed.install(manifestsOf('autoscaler-floor.yaml', version));
    return () => seed.close();
  });

  test.for(Object.entries(floors))(
    '1.7 gardenlet writes its autoscaler, and its floor is raised: %s',
    async ([name, floor]) => {
      // The server needs a moment until it goes by a policy.
      await expect
        .poll(() => written(autoscaler(name, ofToday(floor))))
        .toEqual([raised, { containerName: '*', mode: 'Off' }]);
      const { resourceVersion } = (await stored(name)).metadata;
      // Each time that gardener-resource-manager writes it again, nothing changes.
      await seed.install([autoscaler(name, ofToday(floor))]);
      expect((await stored(name)).metadata.resourceVersion).toBe(resourceVersion);
      expect(await written(autoscaler(name, ofOld(floor)))).toEqual([raised]);
    },
  );

  test('1.7 the autoscaler of another Deployment stays as it is written', async () => {
    expect(await written(autoscaler('etcd-druid', ofOld('30Mi')))).toEqual(ofOld('30Mi'));
  });
});

test('1.7 Kyverno’s own definition takes what is the same policy', async () => {
  seed = await BareSeed.start();
  onTestFinished(() => seed.close());
  const definition = 'config/crds/policies.kyverno.io/policies.kyverno.io_mutatingpolicies.yaml';
  await seed.takeDefinition(parse(await fileOfModule('github.com/kyverno/kyverno@v1.18.2', definition)) as Definition);
  const [policy] = manifestsOf('autoscaler-floor.yaml', 'v1');
  const ofKyverno = manifestsOf('autoscaler-floor-kyverno.yaml', 'v1');
  await seed.install(ofKyverno);
  const { reinvocationPolicy: _, ...spec } = policy?.spec ?? {};
  expect(ofKyverno.map((one) => one.spec)).toEqual([spec]);
});
