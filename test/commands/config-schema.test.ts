import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { configSchema } from '../../hack/config-schema.ts';
import { readYamlConfig } from '../../src/adapters/config/yaml-config.ts';
import { exampleConfigs } from '../../src/commands/example-configs.ts';
import type { ConfigReading } from '../../src/domain/config/config-remark.ts';
import { readProberConfig } from '../../src/domain/config/read-prober-config.ts';
import { readWeederConfig, writtenWeederConfig } from '../../src/domain/config/read-weeder-config.ts';
import { writtenProberConfig } from '../../src/domain/config/written-prober-config.ts';
import { readGoDuration } from '../../src/domain/go-duration.ts';
import { configCases } from './config-cases.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

type Role = 'prober' | 'weeder';
const each: readonly Role[] = ['prober', 'weeder'];

const written: Readonly<Record<Role, z.ZodType>> = { prober: writtenProberConfig, weeder: writtenWeederConfig };
const strict = { strict: true } as const;
const judges: Readonly<Record<Role, (written: unknown) => ConfigReading<unknown>>> = {
  prober: (value) => readProberConfig(value, strict),
  weeder: (value) => readWeederConfig(value, strict),
};

// Its strict mode wants each keyword to repeat its type.
const ajv = new Ajv({ strictTypes: false, strictRequired: false });
const schemas = {
  prober: ajv.compile(JSON.parse(configSchema(writtenProberConfig)) as object),
  weeder: ajv.compile(JSON.parse(configSchema(writtenWeederConfig)) as object),
};

const asItIs = (value: unknown): ConfigReading<unknown> => ({ ok: true, config: value, warnings: [], defaults: [] });

/** As an editor with the schema judges the text. */
function editorAccepts(role: Role, text: string): boolean {
  const reading = readYamlConfig(text, asItIs);
  return reading.ok && schemas[role](reading.config);
}

test.for(each)("2, 7 the %s's schema for editors is as fresh as the configuration (npm run docs)", (role) => {
  expect(read(`docs/schema/${role}-config.schema.json`)).toBe(configSchema(written[role]));
});

const judged = each.flatMap((role) => configCases[role].map((one) => ({ role, ...one })));

test.for(judged)('2.1, 2, 7 program and schema judge alike, as $role: $text', ({ role, text, right, differs }) => {
  expect({ program: readYamlConfig(text, judges[role]).ok, editor: editorAccepts(role, text) }).toEqual({
    program: right,
    editor: right || differs !== undefined,
  });
});

test.for(each)("2, 7 both take Gardener's configuration and the example, as %s", (role) => {
  const further = role === 'prober' ? [exampleConfigs['two-paths']] : [];
  for (const text of [read(`deploy/base/${role}/dep-config.yaml`), exampleConfigs[role], ...further]) {
    expect(readYamlConfig(text, judges[role]).ok).toBe(true);
    expect(editorAccepts(role, text)).toBe(true);
  }
});

test('2.1 the specification names each difference that is left', () => {
  const specification = read('docs/specification.md').replaceAll(/\s+/g, ' ');
  const differences = judged.flatMap(({ differs }) => differs ?? []);
  expect(differences).toHaveLength(3);
  for (const difference of differences) expect(specification).toContain(difference.replace('a duration ', ''));
});

test('2.1 program and schema judge every length alike that Go can count', () => {
  const gardener = readYamlConfig(read('deploy/base/prober/dep-config.yaml'), asItIs);
  const base = gardener.ok ? (gardener.config as object) : {};
  const piece = fc.constantFrom('0', '1', '30', '.', '5', 's', 'm', 'ms', 'h', 'us', 'µs', 'ns', '+', '-', ' ', 'd');
  const text = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.constantFrom('probeInterval', 'initialDelay'), text, (key, length) => {
      const reading = readGoDuration(length);
      fc.pre(reading.ok ? reading.ms !== 0 || !/[1-9]/.test(length) : !reading.because.includes('longer'));
      const value = { ...base, [key]: length };
      expect(schemas.prober(value)).toBe(judges.prober(value).ok);
    }),
    { numRuns: 2_000 },
  );
});
