import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runProgram } from '../../hack/control-plane/run-program.ts';
import { findProgram } from '../../hack/programs/find-program.ts';

/** A manifest, as far as every kind has it. */
export type Manifest = Readonly<{
  apiVersion: string;
  kind: string;
  metadata: Readonly<{ name: string; namespace?: string }>;
}>;

const checkout = join(import.meta.dirname, '../..');

/** What `kustomize build` makes of a folder of the checkout. */
export async function kustomized(folder: string): Promise<readonly Manifest[]> {
  const kustomize = await findProgram('kustomize');
  return manifestsOf(await runProgram(kustomize, ['build', folder], { cwd: checkout }));
}

function manifestsOf(text: string): readonly Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}
