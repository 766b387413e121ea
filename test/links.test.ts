import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, brokenLinks, linksOf, type Page } from '../hack/tidy/links.ts';
import { checkoutFiles } from '../hack/checkout-files.ts';

const root = join(import.meta.dirname, '..');

describe('links', () => {
  const pages = checkoutFiles(root)
    .filter((path) => path.endsWith('.md'))
    .map((path): Page => ({ path, text: readFileSync(join(root, path), 'utf8') }));

  test('there are pages with links: this check does not pass on nothing', () => {
    expect(pages.length).toBeGreaterThan(15);
    expect(pages.flatMap(({ text }) => linksOf(text)).length).toBeGreaterThan(30);
  });

  test('each relative link of each page leads to a file, and its anchor to a heading', () => {
    expect(brokenLinks(pages, (path) => existsSync(join(root, path)))).toEqual([]);
  });

  test('each script and each file of ours that a page names is there', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const files = new Set(checkoutFiles(root).map((path) => path.split('/').at(-1)));
    const missing = pages.flatMap(({ path, text }) => {
      const named = [...text.matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
      const told = [...text.matchAll(/`[\w./-]*?([\w.-]+\.tsx?)`/g)].map(([, name = '']) => name);
      return [
        ...named.filter((name) => !(name in scripts)).map((name) => `${path}: npm run ${name}`),
        ...told.filter((name) => !files.has(name)).map((name) => `${path}: ${name}`),
      ];
    });
    expect(missing).toEqual([]);
  });

  test('each path that a page names from the root, or from where it stands, is there', () => {
    const gone = pages.flatMap(({ path, text }) => {
      const told = [...text.matchAll(/`((?:src|packages|test|hack|docs|deploy)\/[\w./-]+)`/g)].map(([, to = '']) => to);
      const places = [root, join(root, dirname(path))];
      return told.filter((to) => !places.some((place) => existsSync(join(place, to)))).map((to) => `${path}: ${to}`);
    });
    expect(gone).toEqual([]);
  });

  test('the README begins with what to type, and is read in three minutes', () => {
    const readme = pages.find(({ path }) => path === 'README.md')?.text ?? '';
    const blocks = [...readme.matchAll(/^```\n(.*?)\n```$/gms)].map(([, block]) => block);
    expect(blocks.slice(0, 2)).toEqual(['npm ci && npm run simulate', 'npm ci && npm test']);
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(750);
  });

  test('each page of docs is reached from the index', () => {
    const index = pages.find(({ path }) => path === 'docs/README.md');
    const named = new Set(linksOf(index?.text ?? '').map(({ target }) => `docs/${target.split('#')[0]}`));
    const expected = pages
      .map(({ path }) => path)
      .filter((path) => /^docs\/[^/]+\.md$/.test(path) && path !== 'docs/README.md');
    expect(expected.filter((path) => !named.has(path))).toEqual([]);
  });
});

describe('a link is seen broken', () => {
  const there = new Set(['a.md', 'docs/b.md', 'docs', 'docs/x.svg']);
  const broken = (text: string) =>
    brokenLinks(
      [
        { path: 'a.md', text: '# Top\n## Twice\n## Twice\n' },
        { path: 'docs/b.md', text },
      ],
      (path) => there.has(path),
    );

  test.each([
    ['a file', 'see [it](c.md)', 'docs/b.md:1 leads to c.md, which is not there'],
    ['a picture', '![it](y.svg)', 'docs/b.md:1 leads to y.svg, which is not there'],
    ['a heading', 'one\n[it](../a.md#bottom)', 'docs/b.md:2 leads to ../a.md#bottom, a heading that is not there'],
    ['a heading of its own', '[it](#here)', 'docs/b.md:1 leads to #here, a heading that is not there'],
    ['a definition', '[it]: nowhere.md', 'docs/b.md:1 leads to nowhere.md, which is not there'],
    ['a place outside', '[it](../../c.md)', 'docs/b.md:1 leads to ../../c.md, outside of the checkout'],
    ['a tag', '<img src="y.svg">', 'docs/b.md:1 leads to y.svg, which is not there'],
  ])('%s', (_, text, fault) => {
    expect(broken(text)).toEqual([fault]);
  });

  test.each([
    '[it](../a.md) [top](../a.md#top) [again](../a.md#twice-1) [folder](../docs) ![x](x.svg)',
    '[site](https://example.org/x.md) [mail](mailto:a@example.org)',
    '`[code](nowhere.md)`\n```\n[code](nowhere.md)\n```',
    '# Here, *now*\n[it](#here-now)',
  ])('and kept: %s', (text) => {
    expect(broken(text)).toEqual([]);
  });

  test('headings are named as GitHub names them', () => {
    expect([...anchorsOf('# What `--x` does: 5.1\n\n### [A link](b.md) (+)\n```\n# none\n```')]).toEqual([
      'what---x-does-51',
      'a-link-',
    ]);
  });
});
