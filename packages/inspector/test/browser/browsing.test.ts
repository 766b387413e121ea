import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browsing } from './browsing.ts';

const { visit } = browsing();
let body = '';
const server = createServer((request, response) => {
  response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' });
  response.end(request.url === '/' ? `<link rel="icon" href="data:,"><p>here</p>${body}` : '');
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** Opens a page that holds this, and waits for it to have done what it does. */
const open = async (html: string) => {
  body = `${html}<script>document.title = 'done'</script>`;
  await visit({ origin }, async (page) => {
    await expect.poll(() => page.title()).toBe('done');
    await page.waitForLoadState('networkidle');
  });
};

test('a page that does nothing passes', async () => {
  await expect(open('')).resolves.toBeUndefined();
});

test.each([
  ['<img src="http://example.org/x.png">', 'asks for http://example.org/x.png'],
  ['<script>new WebSocket("ws://127.0.0.1:9/x")</script>', 'opens ws://127.0.0.1:9/x'],
  ['<script>console.debug("hello")</script>', 'says on the console: debug: hello'],
  ['<script>throw new Error("a bug")</script>', 'throws: Error: a bug'],
  ['<script>Promise.reject(new Error("late"))</script>', 'throws: Error: late'],
  ['<script>alert(1)</script>', 'opens a dialog: 1'],
  ['<img src="/nothing.png">', 'says on the console: error: Failed to load resource'],
])('a page with %s fails its test', async (html, misdeed) => {
  await expect(open(html)).rejects.toThrow(misdeed);
});

test('where the test fails, it tells what was on the page', async () => {
  body = '';
  const failing = visit({ origin }, async (page) => await page.getByText('there').waitFor({ timeout: 100 }));
  await expect(failing).rejects.toThrow('- paragraph: here');
});
