import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { runProgram } from '@dwd/lab/control-plane/run-program.ts';
import type { Manifest } from './render.ts';

const operator = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';

/** Where the definitions of the kinds are that a cluster may have: in the Go modules of those who define them, too long to be kept here. */
const definitions = {
  VerticalPodAutoscaler: ['k8s.io/autoscaler/vertical-pod-autoscaler@v1.8.1', 'deploy/vpa-v1-crd-gen.yaml'],
  PodMonitor: [operator, 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml'],
  PrometheusRule: [operator, 'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml'],
} as const;

export type Definition = Manifest &
  Readonly<{
    spec: Readonly<{
      group: string;
      names: Readonly<{ kind: string; plural: string }>;
      versions: readonly Readonly<{ name: string; served: boolean }>[];
    }>;
  }>;

/** The CustomResourceDefinition of a kind, as its authors wrote it, from Go's module cache. */
export async function definitionOf(kind: keyof typeof definitions): Promise<Definition> {
  const [module, path] = definitions[kind];
  const documents = parseAllDocuments(await fileOfModule(module, path));
  const found = documents.map((document) => document.toJS() as Definition).find(({ spec }) => spec.names.kind === kind);
  if (found === undefined) throw new Error(`${module} does not define ${kind} in ${path}`);
  return found;
}

/** A file of a Go module, `github.com/some/thing@v1.2.3`. */
export async function fileOfModule(module: string, path: string): Promise<string> {
  const told = await runProgram('go', ['mod', 'download', '-json', module], { cwd: tmpdir() });
  const { Dir: directory } = JSON.parse(told) as { Dir: string };
  return readFileSync(join(directory, path), 'utf8');
}

/**
 * The definition of PersesDashboard. Gardener v1.136.2 has it in v1alpha1, whose `spec` is the dashboard; in v1alpha2, which came since, that stands in
 * `spec.config`, beside the selector of the instances (perses-operator's own definition, read).
 */
export async function persesDashboards(): Promise<Definition> {
  const folder = 'pkg/component/observability/monitoring/persesoperator/templates';
  const text = await fileOfModule(
    'github.com/gardener/gardener@v1.136.2',
    `${folder}/crd-perses.dev_persesdashboards.yaml`,
  );
  const { spec, ...rest } = parse(text) as Definition;
  const [older] = spec.versions as readonly [Version];
  const selector = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const properties = { config: older.schema.openAPIV3Schema.properties.spec, instanceSelector: selector };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  const newer = { ...older, name: 'v1alpha2', schema: { openAPIV3Schema } };
  return { ...rest, spec: { ...spec, versions: [newer] } };
}

type Version = Definition['spec']['versions'][number] &
  Readonly<{ schema: Readonly<{ openAPIV3Schema: Readonly<{ properties: Readonly<{ spec: object }> }> }> }>;
