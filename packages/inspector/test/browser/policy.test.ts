import { expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspected, inspectedByAll } from './inspected.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

test('9.7 the page may load nothing but what its address serves, and sets no cookie', async () => {
  await visit({ origin: origin() }, async (page) => {
    const answers = ['/', '/page.js', '/page.css', '/about', '/shoots', '/services', '/episodes'].map(async (path) => {
      const answer = await page.request.get(`${origin()}${path}`);
      const {
        'content-security-policy': csp,
        'set-cookie': cookie = 'none',
        'x-content-type-options': sniff,
      } = answer.headers();
      return { path, status: answer.status(), csp, cookie, sniff };
    });
    for (const { path, ...answer } of await Promise.all(answers))
      expect({ path, ...answer }).toEqual({ path, status: 200, csp: policy, cookie: 'none', sniff: 'nosniff' });
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate('Object.keys(localStorage).length + Object.keys(sessionStorage).length')).toBe(0);
  });
});

test('9.7 what would be put into the page all the same does not run, and reaches nobody', async (context) => {
  const elsewhere = await inspected(context, 'mixed');
  const forgives = /Content Security Policy|violates/;
  await visit({ origin: origin(), forgives }, async (page) => {
    const ran = await page.evaluate(`(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = true"><p style="color: red">');
      await new Promise((resolve) => document.body.querySelector('img').addEventListener('error', resolve));
      const asked = await fetch('${elsewhere.origin}/about', { mode: 'no-cors' }).then(() => 'answered', () => 'refused');
      return [window.ran ?? false, asked, getComputedStyle(document.body.lastChild).color];
    })()`);
    expect(ran).toEqual([false, 'refused', expect.not.stringContaining('255, 0, 0')]);
  });
});
