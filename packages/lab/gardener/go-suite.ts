import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The cases of the Go watchdog's own suite, read from its source: `Test`, `Test/title` where a table names its rows, and `Test ×4` where it does not.
 * As gofmt lays it out: a table opens with `}{` and closes with `}`, at one tab, and so does each row at two.
 */
export function goCases(module: string): readonly string[] {
  return globSync('**/*_test.go', { cwd: module }).flatMap((file) => {
    const [, ...functions] = readFileSync(join(module, file), 'utf8').split(/^func /m);
    return functions.filter((body) => /^test/i.test(body)).flatMap(casesOf);
  });
}

function casesOf(body: string): readonly string[] {
  const name = /^\w+/.exec(body)?.[0] ?? '';
  const tables = body.matchAll(/\[\]struct \{\n\t\t(?<field>\w+)[^]*?\n\t\}\{\n(?<rows>[^]*?)\n\t\}\n/g);
  const cases = [...tables].flatMap(({ groups }) => {
    const rows = (groups?.['rows'] ?? '').split(/^(?=\t\t\{)/m).filter((row) => row.startsWith('\t\t{'));
    if (!/^(?:title|name|description)$/.test(groups?.['field'] ?? '')) return [`${name} ×${rows.length}`];
    return rows.map((row) => `${name}/${/"(?<title>[^"]+)"/.exec(row)?.[1] ?? ''}`);
  });
  // A function without a table of its own, and in lower case, is named by the table of another.
  return cases.length > 0 || !name.startsWith('Test') ? cases : [name];
}
