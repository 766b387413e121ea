import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

const elsewhere = /(?:^|\/)(?:\.git|\.cache|node_modules|dist|coverage)(?:\/|$)/;
const homes = /(?<![\w.~}-])\/(?:work|home|root|Users|tmp)\/\w/;
const registries = /\bregistry\.[\w-]+\.\w{2,}/;

/** Every file of the checkout that is text, by its path. */
export function textsOf(root: string): readonly Readonly<{ path: string; text: string }>[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter((path) => !elsewhere.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'));
}

/** What a text gives away of the machine on which it was written: paths of homes, hosts of registries. */
export function tracesIn(path: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const trace = homes.exec(line) ?? registries.exec(line);
    return trace ? [`${path}:${index + 1} names ${trace[0]}`] : [];
  });
}
