import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTests } from '../hack/rules/read-tests.ts';
import { parseSource } from '../hack/source.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

type Named = Readonly<{ path: string; name: string }>;

/** `test/a.test.ts`, or one of a package, “a part of its name”. */
function testsNamedIn(text: string): readonly Named[] {
  return [...text.matchAll(/`(?<path>(?:packages|test)\/[^`]+)` “(?<name>[^”]+)”/g)].map(({ groups }) => ({
    path: groups?.['path'] ?? '',
    name: groups?.['name'] ?? '',
  }));
}

type Threat = Readonly<{ title: string; holds: string; tests: string }>;

/** Each threat of the page: `- **Threat.** What holds.`, and below it the tests. */
function threatsOf(text: string): readonly Threat[] {
  return [...text.matchAll(/^- \*\*(?<title>.+?)\*\* ?(?<holds>.*)\n(?:  <br>Tests: (?<tests>.*))?/gm)].map(
    ({ groups }) => ({
      title: groups?.['title'] ?? '',
      holds: groups?.['holds'] ?? '',
      tests: groups?.['tests'] ?? '',
    }),
  );
}

const isThere = ({ path, name }: Named, read: (path: string) => string | undefined): boolean => {
  const text = read(path);
  return text !== undefined && readTests(parseSource(path, text)).some((one) => one.name?.includes(name) === true);
};

const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined);

describe('the threat model', () => {
  const threats = threatsOf(page);

  test('has threats: this check does not pass on nothing', () => {
    expect(threats.length).toBeGreaterThan(50);
    expect(threats.length).toBe(page.split('\n').filter((line) => line.startsWith('- ')).length);
    expect(testsNamedIn(page).length).toBeGreaterThan(threats.length);
  });

  test.each(threats)('$title what holds, and a test', ({ holds, tests }) => {
    expect(holds.replace(/\*Remains:.*/, '').trim()).not.toBe('');
    // Nothing stands there but tests, so that a wrong quotation mark hides none.
    const left = testsNamedIn(tests).reduce((rest, { path, name }) => rest.replace(`\`${path}\` “${name}”`, ''), tests);
    expect(left.replaceAll(',', '').trim()).toBe('');
    expect(testsNamedIn(tests)).not.toEqual([]);
    expect(testsNamedIn(tests).filter((one) => !isThere(one, read))).toEqual([]);
  });
});

test('a test that is not there, not in that file, or never run is missed', () => {
  const files: Readonly<Record<string, string>> = {
    'test/a.test.ts': "test('4.1 a thing holds', () => undefined); test.skip('4.2 another', () => undefined);",
  };
  const missing = (text: string) => testsNamedIn(text).filter((one) => !isThere(one, (path) => files[path]));
  expect(missing('`test/a.test.ts` “a thing holds”')).toEqual([]);
  expect(missing('`test/a.test.ts` “a thing breaks”')).toHaveLength(1);
  expect(missing('`test/a.test.ts` “another”')).toHaveLength(1);
  expect(missing('`test/b.test.ts` “a thing holds”')).toHaveLength(1);
});
