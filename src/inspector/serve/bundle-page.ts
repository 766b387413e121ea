import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** The folder of the page's sources. */
const pageFolder = new URL('../page/', import.meta.url).pathname;

/** Bundles the page's module, with the machines and all that it needs: one script, for browsers. */
export async function bundlePage(): Promise<string> {
  const bundle = await rolldown({
    input: join(pageFolder, 'main.tsx'),
    platform: 'browser',
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    const [{ code }] = output;
    return code;
  } finally {
    await bundle.close();
  }
}
