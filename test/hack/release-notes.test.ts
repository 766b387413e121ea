import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { notesFor, type Checkout } from '../../hack/release/notes.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const checkout: Checkout = {
  changelog:
    '# Changelog\n\n## 1.3.0, not released\n\n- New.\n\n## 1.2.3, 2026-12-01\n\n- One.\n- Two.\n\n## 1.2.2, 2026-11-30\n\n- Old.\n',
  packageVersion: '1.2.3',
  chart: 'name: x\nversion: 1.2.3\nappVersion: "v1.2.3"\n',
  security: 'Write to security@example.org.',
  dockerfile: `FROM --platform=$BUILDPLATFORM example.com/node:26@sha256:${'0'.repeat(64)} AS build\nFROM build\n`,
};

test('the section of the tag, and nothing of its neighbours', () => {
  expect(notesFor('v1.2.3', checkout)).toEqual({ ok: true, notes: '- One.\n- Two.' });
});

test.each<[string, string, Partial<Checkout>, readonly string[]]>([
  ['a tag of another form', '1.2.3', {}, ['1.2.3 is no tag of a release, such as v1.2.3']],
  [
    'another version in package.json',
    'v1.2.3',
    { packageVersion: '1.2.2' },
    ['package.json has version 1.2.2, and not 1.2.3'],
  ],
  [
    'another version in the chart',
    'v1.2.3',
    { chart: 'version: 1.2.2\n' },
    ['Chart.yaml has version 1.2.2, and not 1.2.3', 'Chart.yaml has appVersion nothing, and not 1.2.3'],
  ],
  [
    'no section',
    'v1.2.3',
    { changelog: '## 1.2.2, 2026-11-30\n\n- Old.' },
    ['CHANGELOG.md has no section "## 1.2.3, DATE"'],
  ],
  [
    'no date',
    'v1.2.3',
    { changelog: '## 1.2.3, not released\n\n- New.' },
    ['CHANGELOG.md says "not released" of 1.2.3, and no date'],
  ],
  [
    'a candidate, where only the release itself has a section',
    'v1.2.3-rc.1',
    { packageVersion: '1.2.3-rc.1', chart: 'version: 1.2.3-rc.1\nappVersion: 1.2.3-rc.1\n' },
    ['CHANGELOG.md has no section "## 1.2.3-rc.1, DATE"'],
  ],
  [
    'nobody to report to',
    'v1.2.3',
    { security: 'Write to SECURITY-CONTACT.' },
    ['SECURITY.md says SECURITY-CONTACT where reports go, and no address'],
  ],
  [
    'a base whose bits may change',
    'v1.2.3',
    { dockerfile: 'FROM example.com/node:26 AS build\nFROM example.com/node:26\nFROM build\n' },
    ['Dockerfile takes example.com/node:26 by its tag, and not by its digest'],
  ],
  ['an empty section', 'v1.2.3', { changelog: '## 1.2.3, 2026-12-01\n' }, ['CHANGELOG.md says nothing of 1.2.3']],
])('a release is refused for %s', (_, tag, changes, reasons) => {
  expect(notesFor(tag, { ...checkout, ...changes })).toEqual({ ok: false, reasons });
});

test('this changelog has a section for the version in package.json', () => {
  const { version } = JSON.parse(read('src/package.json')) as { version: string };
  expect(read('CHANGELOG.md')).toContain(`\n## ${version}, `);
});
