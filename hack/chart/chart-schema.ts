import type * as z from 'zod';
import { writtenProberConfig } from '../../src/domain/config/written-prober-config.ts';
import { writtenWeederConfig } from '../../src/domain/config/read-weeder-config.ts';
import { configSchema } from '../config-schema.ts';
import { KubernetesTypes, type Schema } from './kubernetes-types.ts';

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

// As the Prometheus operator takes it.
const duration: Schema = { type: 'string', pattern: '^(([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?)$' };
/** What is made where it is asked for, and found by its labels. */
const found = object({ enabled: yesOrNo, labels });

const serviceAccount = {
  ...object({ create: yesOrNo, name: anyText, annotations: labels }),
  // The account `default` of the namespace gets no grants of ours by an oversight.
  if: { properties: { create: { const: false } }, required: ['create'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { name: { minLength: 1 } } },
};

/** What both roles have. */
const ofRole = (config: z.ZodType) => ({
  enabled: yesOrNo,
  extraArgs: flags,
  resources,
  minMemory: memory,
  serviceAccount,
  config: withinAnother(configSchema(config)),
});

/** The text of the chart's values.schema.json. What prober and weeder read is judged there as `docs/schema` judges it. */
export function chartSchema(): string {
  const types = new KubernetesTypes();
  const many = (type: string): Schema => ({ type: 'array', items: types.refer(type) });
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object(
      {
        // Helm gives these to every chart.
        global: { type: 'object' },
        image: object({
          repository: { ...anyText, pattern: '^[^@ ]*$' },
          tag: { type: 'string', pattern: '^([A-Za-z0-9_][-A-Za-z0-9_.]{0,127})?$' },
          digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
          pullPolicy: { type: 'string', enum: ['Always', 'IfNotPresent', 'Never'] },
        }),
        imagePullSecrets: many('V1LocalObjectReference'),
        deployRoles: yesOrNo,
        replicas: { type: 'integer', minimum: 0, maximum: 3 },
        prober: object({
          ...ofRole(writtenProberConfig),
          // Of a decimal `helm --set` makes a text.
          kubeApiQps: { type: ['number', 'string'], pattern: '^[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$' },
          kubeApiBurst: { type: 'integer' },
          logLevel: { type: 'string', enum: ['DEBUG', 'INFO', 'WARN', 'ERROR', 'PANIC'] },
          furtherDependants: { type: 'array', items: rule },
        }),
        weeder: object(ofRole(writtenWeederConfig)),
        podLabels: { ...labels, properties: { app: false } },
        podAnnotations: labels,
        nodeSelector: labels,
        tolerations: many('V1Toleration'),
        affinity: types.refer('V1Affinity'),
        extraEnv: many('V1EnvVar'),
        extraVolumes: many('V1Volume'),
        extraVolumeMounts: many('V1VolumeMount'),
        podSecurityContext: types.refer('V1PodSecurityContext'),
        securityContext: types.refer('V1SecurityContext'),
        journal: object({ enabled: yesOrNo, sizeLimit: memory }),
        priorityClass: {
          ...object({ name: anyText, create: yesOrNo }),
          // What is made needs a name.
          if: { properties: { create: { const: true } } },
          // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
          then: { properties: { name: { minLength: 1 } } },
        },
        verticalPodAutoscaler: object({
          enabled: yesOrNo,
          updateMode: { type: 'string', enum: ['Off', 'Initial', 'Recreate', 'InPlaceOrRecreate'] },
        }),
        podMonitor: object({ enabled: yesOrNo, labels, interval: duration }),
        seedPrometheus: yesOrNo,
        prometheusRule: object({ enabled: yesOrNo, labels, runbooks: anyText }),
        dashboards: object({ grafana: found, plutono: found }),
        events: yesOrNo,
      },
      ['image'],
    ),
    // Where no pod is made, no image is needed.
    if: { properties: { deployRoles: { const: true } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { image: { properties: { repository: { minLength: 1 } } } } },
    definitions: types.definitions,
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
