import { expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

test('9.7 times are in UTC or the browser’s own, and the page is light or dark, as the system is or by choice', async () => {
  await visit({ origin: origin() }, async (page) => {
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const outage = page.getByRole('article').filter({ hasText: 'shoot--dev--silent' });
    await outage.getByText('02:03:').first().waitFor();
    await page.getByRole('button', { name: 'local' }).click();
    // Berlin's winter: an hour ahead.
    await outage.getByText('03:03:').first().waitFor();

    const light = await ground();
    await page.getByRole('button', { name: 'dark' }).click();
    await expect.poll(ground).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('button', { name: 'light' }).click();
    await expect.poll(ground).toBe(light);

    // Both are remembered.
    await page.reload();
    await outage.getByText('03:03:').first().waitFor();
    expect(await ground()).toBe(light);
  });
});

test('9.7 a server that is slow or gone is said, and what is shown stays', async () => {
  const forgives = /net::ERR_FAILED/;
  await visit({ origin: origin(), forgives }, async (page) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/shoots/shoot--dev--cut/turns*', async (route) => {
      await held;
      await route.continue();
    });
    await page.route('**/shoots/shoot--dev--calm/turns*', async (route) => await route.abort());
    await page.goto(`${origin()}/#/shoots/shoot--dev--cut`);
    const heading = page.getByRole('heading', { name: 'shoot--dev--cut', level: 1 });
    await heading.waitFor();
    await page.getByRole('main').getByText('loading', { exact: true }).waitFor();
    release();
    await page.getByRole('region', { name: 'One turn' }).waitFor();

    await page.goto(`${origin()}/#/shoots/shoot--dev--calm`);
    const alert = page.getByRole('main').getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/could not be loaded/);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'What happened' }).click();
    await page.getByRole('article').first().waitFor();
  });
});
