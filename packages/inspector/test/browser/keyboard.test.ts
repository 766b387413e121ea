import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';
import { views } from './views.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');
const addressOf = (page: Page) => new URL(page.url()).hash;

/** What has the focus, and whether that can be seen: it looks otherwise, or a part of it does, than without the focus. */
const focusLook = `(async () => {
  const element = document.activeElement;
  if (element === document.body) return null;
  // What follows the focus is drawn in the frame after the next one.
  const frame = async () => { for (let count = 0; count < 3; count++) await new Promise(requestAnimationFrame); };
  const looks = () => JSON.stringify([element, ...element.querySelectorAll('*')].map((one) => {
    const { outline, boxShadow, border, background, stroke, strokeWidth, opacity } = getComputedStyle(one);
    return [outline, boxShadow, border, background, stroke, strokeWidth, opacity];
  }));
  await frame();
  const before = looks();
  element.blur();
  await frame();
  const isSeen = looks() !== before;
  element.focus();
  return { name: element.outerHTML.slice(0, 120), isSeen };
})()`;
type FocusLook = Readonly<{ name: string; isSeen: boolean }>;

describe('9.7 the keyboard alone', () => {
  test('leads from last night to the turn that decided an outage, from turn to turn, and back', async () => {
    await visit({ origin: origin() }, async (page) => {
      const deciding = page.getByRole('link', { name: 'See why: the deciding turn of shoot--dev--cut' });
      await deciding.waitFor();
      const { keyboard } = page;
      for (let presses = 0; presses < 20 && (await deciding.and(page.locator(':focus')).count()) === 0; presses++)
        await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
      const turn = page.getByRole('region', { name: 'One turn' });
      await turn.getByRole('table', { name: /^What decided/ }).waitFor();
      const decided = addressOf(page);
      expect(decided).toMatch(/^#\/shoots\/shoot--dev--cut\?turn=/);
      await keyboard.press('ArrowLeft');
      await expect.poll(() => addressOf(page)).not.toBe(decided);
      await keyboard.press('ArrowRight');
      await expect.poll(() => addressOf(page)).toBe(decided);
      await keyboard.press('n');
      await expect.poll(() => addressOf(page)).toBe('#/');
      await deciding.waitFor();
    });
  });

  test('leads through the seed to a shoot', async () => {
    await visit({ origin: origin() }, async (page) => {
      await page.getByRole('navigation', { name: 'Views' }).waitFor();
      await page.keyboard.press('s');
      await page.getByRole('row', { name: 'shoot--dev--still-cut' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => focused(page)).toBe('shoot--dev--still-cut');
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => focused(page)).not.toBe('shoot--dev--still-cut');
      const name = await focused(page);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      expect(addressOf(page)).toBe(`#/shoots/${name}`);
    });
  });

  test('finds a shoot by its name', async () => {
    await visit({ origin: origin() }, async (page) => {
      await page.getByRole('navigation', { name: 'Views' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('still');
      await page.getByRole('option', { name: 'shoot--dev--still-cut' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'shoot--dev--still-cut', level: 1 }).waitFor();
      expect(addressOf(page)).toBe('#/shoots/shoot--dev--still-cut');
    });
  });

  test('opens the help, and closes it', async () => {
    await visit({ origin: origin() }, async (page) => {
      await page.getByRole('navigation', { name: 'Views' }).waitFor();
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keys' });
      await help.waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => help.isVisible()).toBe(false);
    });
  });

  test.each(views)('reaches everything on $name, and shows where it is', async ({ at, drawn }) => {
    await visit({ origin: origin(), at }, async (page) => {
      await drawn(page).first().waitFor();
      const seen: FocusLook[] = [];
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab');
        const look = await page.evaluate<FocusLook | null>(focusLook);
        if (look === null) break;
        seen.push(look);
      }
      expect(seen.length).toBeGreaterThan(5);
      expect(seen.filter(({ isSeen }) => !isSeen).map(({ name }) => name)).toEqual([]);
    });
  });
});
