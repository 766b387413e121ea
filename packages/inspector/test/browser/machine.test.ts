import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';
import { screens } from './views.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

const turnOf = (page: Page) => page.getByRole('region', { name: 'One turn' });
const machineOf = (page: Page) => page.getByRole('region', { name: 'The machine' });
const pickedOf = (page: Page) => page.getByRole('region', { name: 'What was clicked' });

/** The turn that decided the outage of shoot--dev--cut. */
async function toDecidingTurn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'See why: the deciding turn of shoot--dev--cut' }).first().click();
  await turnOf(page).getByRole('table').first().waitFor();
}

/** How high the letters of the smallest name of a state are drawn, in CSS pixels of the screen. */
const smallestLetters = `Math.min(...[...document.querySelectorAll('.chart > .chart-picture .chart-region')].map((picture) =>
  parseFloat(getComputedStyle(picture.querySelector('.chart-state-name')).fontSize) * picture.getScreenCTM().a))`;

describe.each(screens)('9.7 the machine of a shoot, %s', (_, viewport) => {
  test('is readable', async () => {
    await visit({ origin: origin(), options: { viewport } }, async (page) => {
      await toDecidingTurn(page);
      expect(await page.evaluate<number>(smallestLetters)).toBeGreaterThanOrEqual(11);
    });
  });

  test('stands in the first view with what decided; on a phone it comes after that', async () => {
    await visit({ origin: origin(), options: { viewport } }, async (page) => {
      await toDecidingTurn(page);
      const active = await machineOf(page).getByRole('button', { name: 'scalingDown, the active state' }).boundingBox();
      const guard = await turnOf(page).getByRole('row').filter({ hasText: 'isCutOff' }).first().boundingBox();
      expect(guard!.y + guard!.height).toBeLessThanOrEqual(viewport.height);
      const latest = viewport.width >= 1_000 ? viewport.height : Infinity;
      expect(active!.y + active!.height).toBeLessThanOrEqual(latest);
    });
  });
});

test('9.7 a state that is clicked says what it means, by which rule, and when the machine was there', async () => {
  await visit({ origin: origin() }, async (page) => {
    await toDecidingTurn(page);
    await machineOf(page).getByRole('button', { name: 'scalingDown, the active state' }).click();
    const picked = pickedOf(page);
    await picked.getByText('The shoot is cut off, and being scaled down. Rule 6.4 Down').waitFor();
    await picked.getByText('It has been there since 02:02:25.1.').waitFor();
    // By the keyboard, too; and what is not yet so leads there.
    await machineOf(page).getByRole('button', { name: 'scaledDown', exact: true }).focus();
    await page.keyboard.press('Enter');
    await picked.getByText(/^Not yet at this turn; the next time at 02:02:25\.5\.$/).waitFor();
    await picked.getByRole('link', { name: '02:02:25.5' }).click();
    await picked.getByText('It has been there since 02:02:25.5.').waitFor();
    await picked.getByRole('button', { name: 'Close' }).click();
    expect(await picked.count()).toBe(0);
  });
});

test('9.7 a line that is clicked says what it asks and when it was last taken; what said no is told apart', async () => {
  await visit({ origin: origin() }, async (page) => {
    await toDecidingTurn(page);
    const lines = machineOf(page).getByRole('button');
    expect(await lines.and(page.getByRole('button', { name: /^taken: / })).count()).toBe(3);
    expect(await lines.and(page.getByRole('button', { name: /^said no: scalingDown → scaledDown/ })).count()).toBe(1);
    await machineOf(page).getByText('cut off', { exact: true }).click();
    const picked = pickedOf(page);
    await picked.getByText(/Is the shoot cut off\? .*Rule 5\.3 The verdicts/).waitFor();
    await picked.getByText('It was last taken at 02:02:25.1.').waitFor();
  });
});

test('9.7 a lane tells what, from when to when and how long: under the pointer, and once it is chosen', async () => {
  await visit({ origin: origin() }, async (page) => {
    await toDecidingTurn(page);
    const lane = page.getByRole('list', { name: 'Lanes' }).getByRole('button', { name: 'state', exact: true });
    await lane.scrollIntoViewIfNeeded();
    const [name, axis] = [await lane.boundingBox(), await page.getByRole('slider').boundingBox()];
    await page.mouse.move(axis!.x + axis!.width / 2, name!.y + name!.height / 2);
    const told = /cut off and scaled down · 02:02:25\.5 to 02:06:00\.1, 3m35s/;
    await page.locator('.machine-tip').getByText(told).waitFor();
    await page.mouse.move(0, 0);
    expect(await page.locator('.machine-tip').count()).toBe(0);
    await lane.click();
    await page.getByText(/state.* 02:02:25\.1 to 02:02:25\.5, 0\.4\d\ss/).waitFor();
    await lane.press('ArrowDown');
    await page.getByRole('list', { name: 'Lanes' }).getByRole('button', { name: 'probe', pressed: true }).waitFor();
  });
});

test('9.7 a shoot that was found by the search shows at its top what happened to it, and leads to what decided it', async () => {
  await visit({ origin: origin() }, async (page) => {
    await page.getByRole('combobox', { name: 'Shoot or service by its name' }).fill('shoot--dev--cut');
    await page.getByRole('option', { name: 'shoot--dev--cut' }).click();
    const happened = page.getByRole('navigation', { name: 'What happened to it' });
    const outage = happened.getByRole('link', { name: /^outage 02:02:25\.1/ });
    expect((await outage.boundingBox())!.y).toBeLessThan(200);
    await happened.getByText(/^cut off: 3 of 5 leases were 30\ss old at 02:02:25\.1/).waitFor();
    await outage.click();
    await turnOf(page)
      .getByRole('heading', { name: /^02:02:25\.1 Cut off/ })
      .waitFor();
    expect(await outage.getAttribute('aria-current')).toBe('true');
  });
});
