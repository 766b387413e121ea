import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from '../build/bundle-program.ts';
import { bundledPackages } from '../build/licences.ts';
import { writePage } from '../build/build-package.ts';

/** The packages of which something is in what ships, by name: the program is bundled for it, and the bundle thrown away. */
export async function shippedPackages(root: string): Promise<ReturnType<typeof bundledPackages>> {
  const dir = mkdtempSync(join(tmpdir(), 'dwd-shipped-'));
  try {
    const program = await bundleProgram({ root, dir, version: '0.0.0', commit: 'unknown' });
    return bundledPackages(root, [...program, ...(await writePage(dir))]);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
