import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accepted, BareSeed } from './bare-seed.ts';
import { everyValue, usualValues } from './every-value.ts';
import { persesDashboards } from './foreign-definitions.ts';
import { checkout, kustomized, nameOf, templated, type Manifest } from './render.ts';
import { renderings } from './renderings.ts';

let seed: BareSeed;

beforeAll(async () => {
  seed = await BareSeed.start();
  // The strictest standard. It is held against pods, and said of Deployments, which are all that a dry run sees.
  const labels = Object.fromEntries(
    ['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  );
  await seed.api.call('POST', '/api/v1/namespaces', { metadata: { name: 'garden', labels } });
});

afterAll(() => seed?.close());

/** What the server says of each object that it does not take as it is. */
async function refusals(manifests: readonly Manifest[]): Promise<Readonly<Record<string, unknown>>> {
  expect(manifests.length).toBeGreaterThan(0);
  const verdicts = await Promise.all(
    manifests.map(async (manifest) => [nameOf(manifest), await seed.tryOut(manifest)] as const),
  );
  return Object.fromEntries(verdicts.filter(([, verdict]) => JSON.stringify(verdict) !== JSON.stringify(accepted)));
}

describe('on a bare cluster', () => {
  const bare = ['one-replica', 'two-replicas', 'journal', 'prober-alone', 'weeder-alone', 'standalone'];

  test.for(bare)('1.7 a real API server takes every object, strictly: %s', async (overlay) => {
    expect(await refusals(await kustomized(`deploy/overlays/${overlay}`))).toEqual({});
  });

  test('1.7 a real API server takes the account and the roles of a shoot, strictly', async () => {
    expect(await refusals(await kustomized('deploy/shoot'))).toEqual({});
  });

  test('1.7 two kinds are missing for what an overlay for a seed asks for', async () => {
    const refused = Object.keys(await refusals(await kustomized('deploy/overlays/gardener')));
    const kinds = new Set(refused.map((name) => name.split(' ')[0]));
    expect(kinds).toEqual(new Set(['PodMonitor', 'VerticalPodAutoscaler']));
  });

  const slips: readonly (readonly [what: string, find: string, put: string, said: RegExp])[] = [
    ['a field that is not there', '"periodSeconds":10', '"periodSecond":10', /unknown field|field not declared/],
    ['a value of another type', '"replicas":1', '"replicas":"one"', /replicas/],
    ['what cannot be', '"protocol":"TCP"', '"protocol":"TPC"', /supported values/],
    ['more privileges', '"allowPrivilegeEscalation":false', '"allowPrivilegeEscalation":true', /restricted/],
    ['another user', '"runAsNonRoot":true', '"runAsNonRoot":false', /restricted/],
  ];

  test.for(slips)('1.7 it would not take %s', async ([, find, put, said]) => {
    const manifests = await kustomized('deploy/overlays/one-replica');
    const right = JSON.stringify(manifests.find(({ kind }) => kind === 'Deployment'));
    const wrong = JSON.parse(right.replace(find, put)) as Manifest;
    expect(wrong).not.toEqual(JSON.parse(right));
    const { message, warnings } = await seed.tryOut(wrong);
    expect([message, ...warnings].join('\n')).toMatch(said);
  });
});

describe('on a cluster with the vertical autoscaler and the Prometheus operator', () => {
  beforeAll(async () => {
    await Promise.all([seed.define('VerticalPodAutoscaler'), seed.define('PodMonitor'), seed.define('PrometheusRule')]);
  });

  test.for(renderings)(
    '1.7 a real API server takes every object, strictly, from kustomize and from helm: $overlay',
    async ({ overlay, settings }) => {
      expect(await refusals(await kustomized(`deploy/overlays/${overlay}`))).toEqual({});
      expect(await refusals(await templated(settings))).toEqual({});
    },
  );

  test('1.7 a real API server takes all values of the chart at once, strictly', async () => {
    const settings = everyValue.map(([setting]) => setting);
    expect(await refusals(await templated([...usualValues, ...settings]))).toEqual({});
  });
});

describe('on a seed with Perses’ operator', () => {
  beforeAll(async () => seed.takeDefinition(await persesDashboards()));

  test.for(['seed', 'shoot', 'weeder'])(
    '9.10 a real API server takes the dashboard for Perses, strictly: %s',
    async (name) => {
      const file = join(checkout, 'deploy/monitoring/perses', `${name}.json`);
      const dashboard = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
      expect(await seed.tryOut(dashboard)).toEqual(accepted);
      const right = JSON.stringify(dashboard);
      const wrong = JSON.parse(right.replace('"layouts":', '"layout":')) as Manifest;
      expect((await seed.tryOut(wrong)).message).toMatch(/layout/);
    },
  );
});
