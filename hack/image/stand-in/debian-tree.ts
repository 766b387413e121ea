import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@dwd/lab/control-plane/run-program.ts';
import { isRemovedAfterUs } from '@dwd/lab/real/clearing-up.ts';

/** What Debian merged into `/usr`: the packages of some releases still have the old places. */
const merged = ['bin', 'lib', 'lib64', 'sbin'];

/**
 * Lays the files of Debian packages into a directory, as they lie in an image that was made of them: without what their scripts would do,
 * and without what they depend on. The release is that of this machine, from wherever its apt is told to take it.
 */
export async function layDebianFiles(packages: readonly string[], into: string): Promise<void> {
  for (const name of merged) {
    mkdirSync(join(into, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, join(into, name));
  }
  const downloads = mkdtempSync(join(tmpdir(), 'dwd-debian-'));
  isRemovedAfterUs(downloads);
  const fetch = () => runProgram('apt-get', ['download', '-qq', ...packages], { cwd: downloads });
  // A machine that has just been made may never have asked what there is.
  await fetch().catch(() => runProgram('apt-get', ['update', '-qq']).then(fetch));
  for (const file of readdirSync(downloads)) {
    const tar = join(downloads, 'files.tar');
    await runProgram('sh', ['-c', 'dpkg-deb --fsys-tarfile "$1" > "$2"', 'sh', join(downloads, file), tar]);
    await runProgram('tar', ['-x', '--keep-directory-symlink', '-C', into, '-f', tar]);
  }
  rmSync(downloads, { recursive: true });
}

/** These packages, and all without which they do not run. */
export async function withDependencies(packages: readonly string[]): Promise<readonly string[]> {
  const left = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`);
  const told = await runProgram('apt-cache', ['depends', '--recurse', ...left, ...packages]);
  // A package stands at the beginning of its line; `<name>` is one that others provide.
  return [...new Set(told.split('\n').filter((line) => /^[a-z0-9]/.test(line)))].map((line) => line.replace(/:.*/, ''));
}
