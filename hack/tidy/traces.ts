import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const elsewhere = /(?:^|\/)(?:\.git|\.cache|node_modules|dist|coverage)(?:\/|$)/;
const homes = /(?<![\w.~}-])\/(?:work|home|root|Users|tmp)\/\w/;
const registries = /\bregistry\.[\w-]+\.\w{2,}/;

/** Every text that is committed; outside of git, every text that is there. */
export function textsOf(root: string): readonly Readonly<{ path: string; text: string }>[] {
  return (committed(root) ?? present(root))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'));
}

function committed(root: string): readonly string[] | undefined {
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  if (listed.status !== 0) return undefined;
  // A file that was deleted and is still in the index has no text.
  return listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

function present(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !elsewhere.test(path));
}

/** Finds what a text reveals about the machine on which it was written: home directories, hosts of registries. */
export function tracesIn(path: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const trace = homes.exec(line) ?? registries.exec(line);
    return trace ? [`${path}:${index + 1} names ${trace[0]}`] : [];
  });
}
