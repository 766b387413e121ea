import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { proberConfigSchema } from '../../hack/prober-config-schema.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const schema = z.fromJSONSchema(JSON.parse(proberConfigSchema()) as z.core.JSONSchema.JSONSchema);
const gardener = parse(read('test/support/gardener-prober.yaml')) as Record<string, unknown>;

test('2 the schema for editors is as fresh as the configuration (npm run docs)', () => {
  expect(read('docs/schema/prober-config.schema.json')).toBe(proberConfigSchema());
});

test("2 the schema for editors accepts Gardener's configuration", () => {
  expect(schema.safeParse(gardener).error).toBeUndefined();
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
  expect(schema.safeParse({ ...gardener, [key]: value }).success).toBe(false);
});
