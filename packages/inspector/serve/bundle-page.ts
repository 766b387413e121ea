import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** The page as it goes to a browser, and the files of which something is in its script. */
export type BundledPage = Readonly<{
  html: string;
  script: string;
  style: string;
  runbooks: string;
  modules: readonly string[];
}>;

/** The folder of the page's sources. */
const pageFolder = new URL('../page/', import.meta.url).pathname;

/** Bundles the page from its sources, with the machines and all that it needs: one script, one style sheet. */
export async function bundlePage(): Promise<BundledPage> {
  const [html, runbooks, style, { script, modules }] = await Promise.all([
    readFile(join(pageFolder, 'index.html'), 'utf8'),
    readFile(join(pageFolder, '../../../docs/runbooks.md'), 'utf8'),
    styleOfPage(),
    scriptOfPage(),
  ]);
  return { html, script, style, runbooks, modules };
}

async function scriptOfPage(): Promise<Pick<BundledPage, 'script' | 'modules'>> {
  const bundle = await rolldown({
    input: join(pageFolder, 'main.tsx'),
    platform: 'browser',
    // Not found by itself where the sources lie in a folder that is no checkout.
    tsconfig: join(pageFolder, 'tsconfig.json'),
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false });
    const [{ code, modules }] = output;
    const used = Object.entries(modules).filter(([, module]) => module.code);
    return { script: code, modules: used.map(([id]) => id) };
  } finally {
    await bundle.close();
  }
}

/** All style sheets as one: what all views share, then each view's own by path, and then what a narrow window changes of them. */
async function styleOfPage(): Promise<string> {
  const sheets = (await readdir(pageFolder, { recursive: true })).filter((file) => file.endsWith('.css'));
  const views = sheets.filter((file) => file !== 'base.css' && file !== 'narrow.css');
  const ordered = ['base.css', ...views.toSorted(), 'narrow.css'];
  const texts = await Promise.all(ordered.map((file) => readFile(join(pageFolder, file), 'utf8')));
  // Their comments are a sixth of what a browser would load of them.
  return texts.join('\n').replaceAll(/\/\*[^]*?\*\/|\n\s*/g, '');
}
