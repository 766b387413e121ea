import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { configSchema } from '../../hack/config-schema.ts';
import { writtenProberConfig } from '../../src/domain/config/written-prober-config.ts';
import { writtenWeederConfig } from '../../src/domain/config/written-weeder-config.ts';

const roles = {
  prober: { written: writtenProberConfig, gardener: readYaml('hack/real/gardener-prober.yaml') },
  weeder: { written: writtenWeederConfig, gardener: readYaml('hack/real/gardener-weeder.yaml') },
} as const;
type Role = keyof typeof roles;
const each = Object.keys(roles) as Role[];

test.for(each)("2, 7 the %s's schema for editors is as fresh as the configuration (npm run docs)", (role) => {
  expect(read(`docs/schema/${role}-config.schema.json`)).toBe(configSchema(roles[role].written));
});

test.for(each)("2, 7 the %s's schema for editors accepts Gardener's configuration", (role) => {
  expect(forEditors(role).safeParse(roles[role].gardener).error).toBeUndefined();
});

const wrong: readonly (readonly [key: string, value: unknown])[] = [
  ['probeInterval', 30],
  ['probeInterval', '30'],
  ['probeInterval', '-30s'],
  ['initialDelay', '1d'],
  ['nodeLeaseFailureFraction', 0],
  ['failureThreshold', 0],
  ['kubeConfigSecretName', 'Not A Name'],
  ['dependentResourceInfos', []],
  ['probeIntervall', '30s'],
];

test.for(wrong)('2 the schema for editors underlines %s: %j', ([key, value]) => {
  expect(forEditors('prober').safeParse({ ...roles.prober.gardener, [key]: value }).success).toBe(false);
});

const underlined: readonly unknown[] = [
  { matchLabels: { 'no label': 'a' } },
  { matchLabels: { app: true } },
  { matchLabels: { app: 'etcd main' } },
  { matchLabel: { app: 'etcd' } },
  { matchExpressions: [{ key: 'app', operator: 'in', values: ['etcd'] }] },
  { matchExpressions: [{ key: 'app', operator: 'In', values: [] }] },
  { matchExpressions: [{ key: 'app', operator: 'NotIn' }] },
  { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['etcd'] }] },
  { matchExpressions: [{ operator: 'Exists' }] },
];

test.for(underlined)('7 the schema for editors underlines the selector %j', (selector) => {
  const place = ['servicesAndDependantSelectors', 'etcd', 'podSelectors', 1];
  const written = { servicesAndDependantSelectors: { etcd: { podSelectors: [{}, selector] } } };
  const issues = forEditors('weeder').safeParse(written).error?.issues ?? [];
  expect(issues.length).toBeGreaterThan(0);
  expect(issues.filter(({ path }) => path.slice(0, 4).join() !== place.join())).toEqual([]);
});

const right: readonly unknown[] = [
  { matchLabels: { 'example.org/role': 'a', app: '' } },
  { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['etcd'] }] },
  { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
  { matchExpressions: [{ key: 'app', operator: 'DoesNotExist', values: [] }] },
];

test.for(right)('7 the schema for editors accepts the selector %j', (selector) => {
  const written = { servicesAndDependantSelectors: { etcd: { podSelectors: [selector] } } };
  expect(forEditors('weeder').safeParse(written).error).toBeUndefined();
});

const odd: readonly unknown[] = [{}, { Etcd: { podSelectors: [{}] } }, { etcd: { podSelectors: [] } }, { etcd: {} }];

test.for(odd)('7 the schema for editors underlines the services %j', (servicesAndDependantSelectors) => {
  expect(forEditors('weeder').safeParse({ servicesAndDependantSelectors }).success).toBe(false);
});

function readYaml(path: string): Record<string, unknown> {
  return parse(read(path)) as Record<string, unknown>;
}

function forEditors(role: Role) {
  return z.fromJSONSchema(JSON.parse(configSchema(roles[role].written)) as z.core.JSONSchema.JSONSchema);
}

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}
