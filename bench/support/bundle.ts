import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Bundles the program as it ships: with all that it needs, in one folder, a file for each command. Returns the file to start. */
export async function bundleInto(dir: string): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, '../../src/main.ts'), platform: 'node' });
  await bundle.write({ dir, format: 'esm', minify: true });
  await bundle.close();
  return join(dir, 'main.js');
}
