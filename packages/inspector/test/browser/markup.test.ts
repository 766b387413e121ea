import { expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';
import { markup } from './nights.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('markup');

test('9.7 names that are markup are text on every view', async () => {
  await visit({ origin: origin() }, async (page) => {
    const drawn = async (what: string) => {
      // Each view shows the name, and it made no element; what it would run would change the title.
      await expect.poll(() => page.locator('body').innerText(), { message: what }).toContain(markup);
      expect([what, await page.locator('img, [onerror]').count()]).toEqual([what, 0]);
      expect(await page.title()).not.toBe('1');
    };
    await page
      .getByRole('link', { name: /^See why/ })
      .first()
      .waitFor();
    await drawn('last night');
    for (const more of await page.getByText('more', { exact: true }).all()) await more.click();
    await drawn('last night, opened');

    await page.getByRole('link', { name: 'The seed' }).click();
    await page.getByRole('row', { name: markup }).waitFor();
    await drawn('the seed');
    await page.getByRole('combobox', { name: 'Shoot or service by its name' }).fill('<img');
    await page.getByRole('option', { name: markup }).waitFor();
    await drawn('the names that fit');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: markup, level: 1 }).waitFor();
    await page.getByRole('region', { name: 'One turn' }).waitFor();
    await drawn('the shoot');
    // Its address can be loaded again.
    await page.reload();
    await page.getByRole('heading', { name: markup, level: 1 }).waitFor();
    await drawn('the shoot, loaded again');
  });
});
