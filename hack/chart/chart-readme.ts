import { readFileSync } from 'node:fs';
import { isMap, isScalar, parseDocument, stringify, type Pair, type YAMLMap } from 'yaml';
import { chartSchema } from './chart-schema.ts';
import type { Schema } from './kubernetes-types.ts';

const chart = new URL('../../deploy/chart/dependency-watchdog/', import.meta.url);

const beginning = `# The chart dependency-watchdog

<!-- Written by \`npm run docs\` from values.yaml and values.schema.json. -->

Prober and weeder, as \`deploy/base\` and its components have them. [docs/install.md](../../../docs/install.md) says how to install, configure, upgrade and uninstall it, and which values each overlay stands for. Beside a gardenlet that
deploys the watchdog, it installs what scrapes and shows it ([docs/gardener.md](../../../docs/gardener.md#what-scrapes-it)).

\`\`\`
helm install dependency-watchdog deploy/chart/dependency-watchdog --namespace garden --create-namespace --set image.repository=REGISTRY/dependency-watchdog
\`\`\`

A value that is not here, or of another type, is refused with its path. Names of types that begin with a capital letter are Kubernetes' own: each of their fields is known, and others are refused.
Of a decimal helm's \`--set\` makes a text, which only \`prober.kubeApiQps\` may be: in a configuration write it in a file of values, or as \`--set-json prober.config.nodeLeaseFailureFraction=0.5\`.

| value | type | default | what it is |
|---|---|---|---|
`;

/** The chart's README.md: all of its values. Throws where one has no comment, or is not judged, or is judged and not there. */
export function chartReadme(): string {
  const values = parseDocument(readFileSync(new URL('values.yaml', chart), 'utf8')).contents as YAMLMap;
  const schema = JSON.parse(chartSchema()) as Schema;
  return beginning + rowsOf(values, schema, '').join('');
}

function rowsOf(values: YAMLMap, schema: Schema, path: string): readonly string[] {
  const judged = schema['properties'] as Readonly<Record<string, Schema>>;
  const keys = values.items.map(({ key }) => String(key));
  // `global` is Helm's, not ours.
  const missing = Object.keys(judged).filter((key) => key !== 'global' && !keys.includes(key));
  if (missing.length > 0) throw new Error(`values.yaml lacks ${missing.map((key) => path + key).join(', ')}`);
  return values.items.flatMap((pair, index) => {
    const name = path + String(pair.key);
    const one = judged[String(pair.key)];
    if (one === undefined) throw new Error(`nothing judges ${name}`);
    const says = commentOf(pair, index === 0 ? values : undefined);
    // A mapping without a comment of its own is told key by key.
    if (says === '' && isMap(pair.value)) return rowsOf(pair.value, one, `${name}.`);
    if (says === '') throw new Error(`${name} has no comment in values.yaml`);
    return [`| \`${name}\` | ${typeOf(one)} | ${defaultOf(pair)} | ${says} |\n`];
  });
}

/** The parser gives the comment before a mapping's first key to the mapping. */
function commentOf({ key }: Pair, first: YAMLMap | undefined): string {
  const own = isScalar(key) ? key.commentBefore : undefined;
  const text = own ?? first?.commentBefore ?? '';
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}

function defaultOf({ value }: Pair): string {
  const plain = (value as { toJSON(): unknown }).toJSON();
  if (plain === '') return 'empty';
  const text = stringify(plain, { collectionStyle: 'flow', lineWidth: 0 }).trim();
  return text.length > 120 ? 'in [values.yaml](values.yaml)' : `\`${text}\``;
}

function typeOf(schema: Schema): string {
  const { $ref, type, items, enum: choices, additionalProperties, properties } = schema;
  if (typeof $ref === 'string') return $ref.replace('#/definitions/V1', '');
  if (Array.isArray(choices)) return choices.map((choice) => `\`${String(choice)}\``).join(', ');
  if (type === 'array') return `list of ${typeOf(items as Schema)}`;
  if (type !== 'object') return [type].flat().join(' or ');
  return properties === undefined || typeof additionalProperties === 'object' ? 'mapping of texts' : 'mapping';
}
