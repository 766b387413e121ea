import type * as z from 'zod';
import { writtenProberConfig } from '../src/domain/config/written-prober-config.ts';
import { writtenWeederConfig } from '../src/domain/config/read-weeder-config.ts';
import { configSchema } from './config-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

const anyText: Schema = { type: 'string' };
const quantity: Schema = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi)?$' };
// A number alone would be bytes.
const memory: Schema = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?(M|Mi|G|Gi)$' };
const yesOrNo: Schema = { type: 'boolean' };
const flags: Schema = { type: 'array', items: { type: 'string', pattern: '^-' } };
const labels: Schema = { type: 'object', additionalProperties: anyText };

const resources = object({
  requests: { type: 'object', additionalProperties: { anyOf: [quantity, { type: 'number' }] } },
  limits: { type: 'object', additionalProperties: { anyOf: [quantity, { type: 'number' }] } },
});

const rule = object(
  {
    apiGroups: { type: 'array', items: anyText, minItems: 1 },
    resources: { type: 'array', items: { type: 'string', pattern: '^[a-z]' }, minItems: 1 },
    verbs: { type: 'array', items: { type: 'string', enum: ['get', 'list', 'watch', 'update', 'patch'] }, minItems: 1 },
  },
  ['apiGroups', 'resources', 'verbs'],
);

/** What both roles have. */
const ofRole = (config: z.ZodType) => ({
  enabled: yesOrNo,
  extraArgs: flags,
  resources,
  minMemory: memory,
  config: withinAnother(configSchema(config)),
});

/** The text of the chart's values.schema.json. What prober and weeder read is judged there as `docs/schema` judges it. */
export function chartSchema(): string {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object(
      {
        // Helm gives these to every chart.
        global: { type: 'object' },
        image: object({
          repository: { ...anyText, minLength: 1, pattern: '^[^@ ]*$' },
          tag: { type: 'string', pattern: '^([A-Za-z0-9_][-A-Za-z0-9_.]{0,127})?$' },
          digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
          pullPolicy: { type: 'string', enum: ['Always', 'IfNotPresent', 'Never'] },
        }),
        imagePullSecrets: { type: 'array', items: anyText },
        replicas: { type: 'integer', minimum: 0, maximum: 3 },
        prober: object({
          ...ofRole(writtenProberConfig),
          kubeApiQps: { type: 'number' },
          kubeApiBurst: { type: 'integer' },
          logLevel: { type: 'string', enum: ['DEBUG', 'INFO', 'WARN', 'ERROR', 'PANIC'] },
          furtherDependants: { type: 'array', items: rule },
        }),
        weeder: object(ofRole(writtenWeederConfig)),
        journal: object({ enabled: yesOrNo, sizeLimit: memory }),
        priorityClass: {
          ...object({ name: anyText, create: yesOrNo }),
          // What is made needs a name.
          if: { properties: { create: { const: true } } },
          // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
          then: { properties: { name: { minLength: 1 } } },
        },
        verticalPodAutoscaler: object({ enabled: yesOrNo }),
        podMonitor: object({ enabled: yesOrNo, labels }),
        seedPrometheus: yesOrNo,
        events: yesOrNo,
      },
      ['image'],
    ),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function object(properties: Schema, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Says which draft it is only once, at its root. */
function withinAnother(schema: string): Schema {
  const { $schema: _, ...rest } = JSON.parse(schema) as Schema;
  return rest;
}
