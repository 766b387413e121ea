import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { longShoot, writeCrowdedNight } from '@dwd/testing/played-shoots.ts';
import { browsing } from './browsing.ts';
import { inspected } from './inspected.ts';

const { visit } = browsing();
const [shoots, turns, long] = [1_000, 40_000, 5_000];

beforeAll(async () => {
  const dir = join(inject('nights'), 'crowd');
  mkdirSync(dir);
  await writeCrowdedNight(dir, { shoots, turns, long });
});

// How long all this takes with 100,000 turns, `packages/lab/bench/page.ts` tells.
test('9.7 1,000 shoots and 40,000 turns: the seed, a filter, and one shoot of 5,000 turns, from end to end', async (context) => {
  const { origin } = await inspected(context, 'crowd');
  await visit({ origin, at: '#/seed' }, async (page) => {
    await page.getByText('1,000 shoots').first().waitFor();
    // Only what is in sight is drawn.
    expect(await page.getByRole('row').count()).toBeLessThan(100);
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toMatch(/^shoot--/);
    await page.getByRole('searchbox', { name: 'Filter by text' }).fill(longShoot);
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: longShoot }).click();

    await page.getByRole('region', { name: 'One turn' }).waitFor();
    // As many as it loads at once, although some share an instant at the border of two pages.
    await page.getByText(/^5,000 turns, /).waitFor({ timeout: 60_000 });
    const turn = page.getByRole('region', { name: 'One turn' }).getByRole('heading', { level: 2 });
    const last = await turn.innerText();
    await page.keyboard.press('Home');
    await expect.poll(() => turn.innerText()).not.toBe(last);
    await page.keyboard.press('End');
    await expect.poll(() => turn.innerText()).toBe(last);
    for (let presses = 0; presses < 20; presses++) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => turn.innerText()).not.toBe(last);
  });
});
