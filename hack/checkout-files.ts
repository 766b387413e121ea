import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The files of the checkout as it stands, new ones included and ignored ones left out, with forward slashes, sorted. */
export function checkoutFiles(root: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  // One that was deleted is still in the index.
  return listed
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .toSorted();
}
