import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isThere, quotedTests } from '../hack/rules/read-tests.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

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

const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined);

describe('the threat model', () => {
  const threats = threatsOf(page);

  test('has threats: this check does not pass on nothing', () => {
    expect(threats.length).toBeGreaterThan(50);
    expect(threats.length).toBe(page.split('\n').filter((line) => line.startsWith('- ')).length);
    expect(quotedTests(page).length).toBeGreaterThan(threats.length);
  });

  test.each(threats)('$title what holds, and a test', ({ holds, tests }) => {
    expect(holds.replace(/\*Remains:.*/, '').trim()).not.toBe('');
    // Nothing stands there but tests, so that a wrong quotation mark hides none.
    const left = quotedTests(tests).reduce((rest, { path, name }) => rest.replace(`\`${path}\` “${name}”`, ''), tests);
    expect(left.replaceAll(',', '').trim()).toBe('');
    expect(quotedTests(tests)).not.toEqual([]);
    expect(quotedTests(tests).filter((one) => !isThere(one, read))).toEqual([]);
  });
});

test('a test that is not there, not in that file, or never run is missed', () => {
  const files: Readonly<Record<string, string>> = {
    'test/a.test.ts': "test('4.1 a thing holds', () => undefined); test.skip('4.2 another', () => undefined);",
  };
  const missing = (text: string) => quotedTests(text).filter((one) => !isThere(one, (path) => files[path]));
  expect(missing('`test/a.test.ts` “a thing holds”')).toEqual([]);
  expect(missing('`test/a.test.ts` “a thing breaks”')).toHaveLength(1);
  expect(missing('`test/a.test.ts` “another”')).toHaveLength(1);
  expect(missing('`test/b.test.ts` “a thing holds”')).toHaveLength(1);
});
