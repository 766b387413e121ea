import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A package of which something is in the bundle. */
type BundledPackage = Readonly<{ name: string; version: string; license: string; texts: readonly string[] }>;

/** What a licence asks to be passed on with a copy: its text, and the notices that stand beside it. */
const passedOn = /^(?:licen[cs]e|copying|notice|copyrightnotice)(?:[.-].*)?$/i;

/** The packages of these files, by name. Throws where one has no licence to pass on. */
export function bundledPackages(root: string, files: readonly string[]): readonly BundledPackage[] {
  const folders = new Set(files.flatMap((file) => folderOf(root, file) ?? []));
  return [...folders].map(read).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function licenceText({ name, version, license, texts }: BundledPackage): string {
  return `${name} ${version} (${license})\n\n${texts.map((text) => `${text.trim()}\n`).join('\n')}`;
}

/** The folder of the package that a file belongs to; undefined for our own. */
function folderOf(root: string, file: string): string | undefined {
  // What the bundler itself puts in, so that files written for `require` can be imported.
  if (/^\0?rolldown\//.test(file)) return join(root, 'node_modules/rolldown');
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

function read(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as BundledPackage;
  const texts = readdirSync(folder)
    .filter((file) => passedOn.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  if (license === undefined || texts.length === 0) throw new Error(`${folder} has no licence to pass on`);
  return { name, version, license, texts };
}
