import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** What `.gitignore` leaves out, for a copy without git. */
const notOurs: ReadonlySet<string> = new Set(['node_modules', '.git', '.cache', 'dist', 'release', 'coverage']);

/** The files of the checkout as it stands, new ones included and ignored ones left out, with forward slashes, sorted. */
export function checkoutFiles(root: string): readonly string[] {
  const found = existsSync(join(root, '.git')) ? listedByGit(root) : below(root, root);
  return found.toSorted();
}

function listedByGit(root: string): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  // One that was deleted is still in the index.
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

/** For an archive of the sources, and for the copies of `npm run mutants`. */
function below(root: string, folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (folder === root && notOurs.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? below(root, path) : [relative(root, path).split(sep).join('/')];
  });
}
