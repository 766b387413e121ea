import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { runProgram } from '@dwd/lab/control-plane/run-program.ts';
import { findProgram } from '@dwd/lab/programs/find-program.ts';

/** A manifest, as far as every kind has it. */
export type Manifest = Readonly<{
  apiVersion: string;
  kind: string;
  metadata: Readonly<{ name: string; namespace?: string }>;
}>;

export const checkout = join(import.meta.dirname, '../..');
export const chart = join(checkout, 'deploy/chart/dependency-watchdog');

/** As the release is called in all tests; no object bears its name. */
const release = 'dependency-watchdog';
/** The name by which the base has the image; nobody can pull it. */
const placeholder = 'dependency-watchdog';

/** What `kustomize build` makes of a folder of the checkout, or of an absolute one. */
export async function kustomized(folder: string): Promise<readonly Manifest[]> {
  const kustomize = await findProgram('kustomize');
  return manifestsOf(await runProgram(kustomize, ['build', folder], { cwd: checkout }));
}

/** A value of the chart, as `--set-json` takes it: `replicas=2`. */
export type Setting = string;

/** What `helm template` makes of the chart with these values; rejects with what helm said where it refuses them. */
export async function templated(settings: readonly Setting[] = [], namespace = 'garden'): Promise<readonly Manifest[]> {
  const helm = await findProgram('helm');
  const args = ['template', release, chart, `--namespace=${namespace}`, ...settingsOf(settings)];
  return manifestsOf(await runProgram(helm, args, { cwd: checkout }));
}

/** With the image's name, without which the chart is refused. */
export function settingsOf(settings: readonly Setting[]): readonly string[] {
  return [`image.repository="${placeholder}"`, ...settings].flatMap((one) => ['--set-json', one]);
}

function manifestsOf(text: string): readonly Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** `Deployment garden/dependency-watchdog-prober`, without the hash of what is named by its content. */
export function nameOf({ kind, metadata: { namespace = '', name } }: Manifest): string {
  return `${kind} ${namespace}/${kind === 'ConfigMap' ? withoutHash(name) : name}`;
}

const hash = /(dependency-watchdog-(?:prober|weeder)-config)-[a-z0-9]{8,10}(?![-a-z0-9])/g;
const withoutHash = (text: string) => text.replaceAll(hash, '$1');

/**
 * Manifests by their names, so that two ways to write the same are the same: kustomize's hashes have ten digits and the chart's eight, and a
 * configuration counts by what it says.
 */
export function normalised(manifests: readonly Manifest[]): Readonly<Record<string, unknown>> {
  const named = manifests.map((manifest) => [nameOf(manifest), simplified(manifest)] as const);
  const twice = named.filter(([name], index) => named.findIndex(([other]) => other === name) !== index);
  if (twice.length > 0) throw new Error(`twice: ${twice.map(([name]) => name).join(', ')}`);
  return Object.fromEntries(named);
}

/** The labels by which Helm's users look for what a chart installed. gardenlet's objects have none of them, and so the overlays have none. */
const helmsLabel = /^(app\.kubernetes\.io|helm\.sh)\//;

/** A reviver of JSON: leaves them out, and a mapping of labels that would be empty. */
function withoutHelmsLabels(key: string, value: unknown): unknown {
  if (key !== 'labels' || typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value).filter(([name]) => !helmsLabel.test(name));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

function simplified(manifest: Manifest): unknown {
  const plain = JSON.parse(withoutHash(JSON.stringify(manifest)), withoutHelmsLabels) as Manifest & {
    data?: Record<string, string>;
  };
  if (manifest.kind !== 'ConfigMap') return plain;
  const data = Object.entries(plain.data ?? {}).map(([key, text]) => [key, parse(text) as unknown] as const);
  return { ...plain, data: Object.fromEntries(data) };
}
