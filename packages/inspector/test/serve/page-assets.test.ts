import { gunzipSync } from 'node:zlib';
import { parseSync } from 'oxc-parser';
import { beforeAll, expect, test } from 'vitest';
import { runbookSteps } from 'dependency-watchdog/adapters/record/episodes/runbook-steps.ts';
import { bundlePage } from '../../serve/bundle-page.ts';
import { pageAssets, type PageAssets } from '../../serve/page-assets.ts';

let assets: PageAssets;
beforeAll(async () => {
  assets = await pageAssets()();
});

/**
 * Bytes, gzipped, of all that a browser loads: a fifth of a second on a slow line. XState is a quarter of them; the machines, and what
 * explains, replays and imagines by them, another half.
 */
const limit = 140_000;

test('9.7 the page has three files, and all told they are small', () => {
  const { html, script, style } = assets;
  expect([html, script, style].map(({ contentType }) => contentType)).toEqual([
    'text/html; charset=utf-8',
    'text/javascript; charset=utf-8',
    'text/css; charset=utf-8',
  ]);
  for (const { body, gzipped } of [html, script, style]) expect(gunzipSync(gzipped).equals(body)).toBe(true);
  const bytes = [html, script, style].reduce((sum, { gzipped }) => sum + gzipped.length, 0);
  expect(bytes).toBeLessThan(limit);
  // Less would mean that the machines are not in it.
  expect(bytes).toBeGreaterThan(25_000);
});

test('9.19 the runbooks come with the page, and the link of each step leads to a heading of theirs', () => {
  const { contentType, body } = assets.runbooks;
  expect(contentType).toBe('text/plain; charset=utf-8');
  const headings = new Set(body.toString().match(/^## \w+$/gm));
  expect(Object.values(runbookSteps).filter(({ alert }) => !headings.has(`## ${alert}`))).toEqual([]);
});

test('9.7 the script runs in a browser, and none of the files names another host', () => {
  const script = assets.script.body.toString();
  const { errors, module } = parseSync('page.js', script);
  expect({ ...module, errors }).toMatchObject({ errors: [], staticImports: [], dynamicImports: [] });
  expect(script).not.toMatch(/["'`]node:[a-z]|\bprocess\.env\b|\brequire\(/);
  // The names of XML are no addresses: nothing is asked there.
  const namesOfXml = /^https?:\/\/www\.w3\.org\/(?:2000\/svg|1998\/Math\/MathML|1999\/xhtml|1999\/xlink)$/;
  // The runbooks are a text, of which nothing is loaded.
  const { runbooks: _, ...files } = assets;
  for (const { body } of Object.values(files)) {
    const urls = body.toString().match(/\b(?:https?|wss?):\/\/[^\s"'`)]+/g) ?? [];
    expect(urls.filter((url) => !namesOfXml.test(url))).toEqual([]);
  }
});

test('9.7 the style sheets come as one: what all views share first, and nothing is fetched by them', () => {
  const style = assets.style.body.toString();
  expect(style).toMatch(/^:root \{/);
  const narrow = style.indexOf('@media (width < 1080px)');
  expect(narrow, 'what a narrow window changes comes after all that it changes').toBeGreaterThan(
    style.lastIndexOf('@container'),
  );
  expect(style).not.toMatch(/@import|url\((?!["']?(?:#|data:))/);
});

test('9.7 what a policy without exceptions forbids is not in the page: inline scripts and styles', () => {
  const html = assets.html.body.toString();
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
});

test('the packages of the page are known by the files that are in it', async () => {
  const { modules } = await bundlePage();
  const packages = modules.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  expect(packages).toEqual(expect.arrayContaining(['preact', 'xstate']));
  expect(modules.filter((file) => file.includes('/packages/simulator/'))).toEqual([]);
});
