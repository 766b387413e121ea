import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundlePage } from '../../src/inspector/serve/bundle-page.ts';
import { builtFiles } from '../../src/inspector/serve/page-assets.ts';

/** Writes the inspector's page where the program of a build finds it. Returns the files of which something is in it. */
export async function writePage(dir: string): Promise<readonly string[]> {
  const page = await bundlePage();
  for (const name of ['html', 'script', 'style'] as const) {
    const file = join(dir, builtFiles[name]);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, page[name]);
  }
  return page.modules;
}
