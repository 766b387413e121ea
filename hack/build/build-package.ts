import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleProgram, programFile } from './bundle-program.ts';
import { bundledPackages, licenceText } from './licences.ts';
import { bundlePage } from '@dwd/inspector/serve/bundle-page.ts';
import { builtFiles } from '@dwd/inspector/serve/page-assets.ts';

export type BuildOrder = Readonly<{ root: string; dir: string; version: string; commit: string }>;

/** The oldest Node on which the bundle was seen to run. */
export const oldestNode = '>=26';

/** Makes `dir` a package that holds the program and everything that it needs; what was there before goes. Returns what it came to. */
export async function buildPackage({ root, dir, version, commit }: BuildOrder) {
  empty(dir);
  const modules = [...(await bundleProgram({ root, dir, version, commit })), ...(await writePage(dir))];
  const packages = bundledPackages(root, modules);
  // Its first line names the interpreter; an image's command, and npm's link, call the file by itself.
  chmodSync(join(dir, programFile), 0o755);
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify(manifest(root, version), null, 2)}\n`);
  writeFileSync(join(dir, 'README.md'), readme(version));
  writeFileSync(join(dir, 'THIRD-PARTY-LICENSES.txt'), packages.map(licenceText).join(`\n${'-'.repeat(80)}\n\n`));
  copyFileSync(join(root, 'LICENSE'), join(dir, 'LICENSE'));
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0), packages: packages.length };
}

/** Removes a former build, and refuses a folder that is something else. */
function empty(dir: string): void {
  mkdirSync(dir, { recursive: true });
  const there = readdirSync(dir);
  if (there.length === 0) return;
  if (!there.includes(programFile)) throw new Error(`${dir} holds other files than a build: name an empty folder`);
  for (const file of there) rmSync(join(dir, file), { recursive: true });
}

function manifest(root: string, version: string): Readonly<Record<string, unknown>> {
  const own = JSON.parse(readFileSync(join(root, 'src/package.json'), 'utf8')) as Readonly<Record<string, unknown>>;
  const { name, description, license, type } = own;
  return {
    name,
    version,
    description,
    license,
    type,
    // By the second name kubectl finds it, as its plugin `kubectl dwd`.
    bin: { 'dependency-watchdog': programFile, 'kubectl-dwd': programFile },
    engines: { node: oldestNode },
  };
}

function readme(version: string): string {
  return `# dependency-watchdog ${version}

Keeps a Gardener seed's shoots out of node meltdowns, and gets crash-looping control planes back on their feet.
A drop-in replacement for Gardener's dependency-watchdog.

    dependency-watchdog help
    dependency-watchdog prober --config-file=CONFIG --kubeconfig=KUBECONFIG
    dependency-watchdog weeder --config-file=CONFIG --kubeconfig=KUBECONFIG
    dependency-watchdog simulate

It needs Node (${oldestNode}) and no other package: all that it uses is in these files, under the licences of \`THIRD-PARTY-LICENSES.txt\`.
`;
}

/** Writes the inspector's page where the program of a build finds it. Returns the files of which something is in it. */
export async function writePage(dir: string): Promise<readonly string[]> {
  const page = await bundlePage();
  for (const name of ['html', 'script', 'style', 'runbooks'] as const) {
    const file = join(dir, builtFiles[name]);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, page[name]);
  }
  return page.modules;
}
