import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A kubeconfig in a directory of its own, which nobody else may read and which goes when it is disposed of. */
export async function keepKubeconfig(text: string): Promise<Readonly<{ path: string }> & AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), 'dependency-watchdog-'));
  const path = join(dir, 'kubeconfig.yaml');
  await writeFile(path, text, { mode: 0o600 });
  return { path, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
}
