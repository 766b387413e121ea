import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findingsOf } from './axe-findings.ts';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('hard');

const stormOf = (page: Page) => page.getByRole('article').filter({ hasText: '60 shoots' });
/** Until all is read, entries and bars still move. */
const allRead = async (page: Page) => await page.getByText(/^replay agrees/).waitFor();
const tipOf = (page: Page) => page.locator('.night-tip');
const hashOf = (page: Page) => new URL(page.url()).hash;

/** The middle of the bar of the lane of that name. */
async function barOf(page: Page, lane: RegExp) {
  const bar = page.getByRole('listitem').filter({ hasText: lane }).locator('[data-bar]').first();
  const box = await bar.boundingBox();
  if (box === null) throw new Error(`no bar stands in the lane ${lane}`);
  return { x: box.x + box.width / 2, y: box.y + box.height - 2 };
}

describe.each([
  ['a screen', { width: 1_440, height: 700 }],
  ['a phone', { width: 390, height: 844 }],
] as const)('9.16 a storm, on %s', (_, viewport) => {
  test.each(['its entry', 'its lane'])('is opened by %s, which stays under the pointer', async (where) => {
    await visit({ origin: origin(), options: { viewport } }, async (page) => {
      const toggle =
        where === 'its entry'
          ? stormOf(page).getByRole('button', { name: /^outage/ })
          : page.getByRole('listitem').getByRole('button', { name: /60 shoots/ });
      await toggle.scrollIntoViewIfNeeded();
      const before = await toggle.boundingBox();
      await toggle.click();
      await page.getByRole('article').filter({ hasText: 'shoot--storm--2' }).first().waitFor();
      expect((await toggle.boundingBox())?.y).toBeCloseTo(before!.y, 0);
      expect(await findingsOf(page)).toEqual([]);
    });
  });
});

test('9.16 9.18 a storm is copied for a ticket, with a sentence of each', async () => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'] };
  await visit({ origin: origin(), options }, async (page) => {
    await stormOf(page).getByRole('button', { name: /^Copy/ }).click();
    await stormOf(page).getByText('copied').waitFor();
    const copied = (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n');
    expect(copied[0]).toBe('60 shoots cut off, 02:02:25 to 02:02:31, all back by 02:06:42 (UTC)');
    expect(copied[1]).toMatch(/^2026-03-14T02:02:25\.1..Z {2}shoot--storm--1 {2}outage, grave$/);
    expect(copied.length).toBe(121);
  });
});

test('9.16 the sentence of an entry is shown when it is asked for, by mouse and by keyboard', async () => {
  await visit({ origin: origin() }, async (page) => {
    const raised = page.getByRole('article').filter({ hasText: 'shoot--dev--raised' });
    const sentence = raised.getByText(/everything was at 0 again 39\.7\ss before a node could be marked/);
    await raised.waitFor();
    expect(await sentence.count()).toBe(0);
    expect((await raised.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /in time, interfered Margin 6\.2 s Down for 3m35s Back 36 s/,
    );
    await raised.getByRole('button', { name: /^outage/ }).click();
    await sentence.waitFor();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => sentence.count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await sentence.waitFor();
  });
});

test('9.16 what lies under the pointer is told: when, for how long, and what; what it is drawn over is chosen', async () => {
  await visit({ origin: origin() }, async (page) => {
    await page.getByRole('article').first().waitFor();
    await allRead(page);
    const { x, y } = await barOf(page, /raised/);
    await page.mouse.move(x, y);
    await tipOf(page)
      .getByText(/^02:1\d:\d\d\.\d to 02:16:00\.\d, [\dms.\s]+$/)
      .waitFor();
    await tipOf(page).getByText('shoot--dev--raised: scaled down again → connected again').waitFor();
    // Nothing is drawn there, and the time is told all the same.
    await page.mouse.move(x - 300, y);
    await expect.poll(() => tipOf(page).innerText()).toMatch(/^02:\d\d:\d\d\.\d$/);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 4 });
    await expect.poll(() => tipOf(page).innerText()).toMatch(/^02:\d\d:\d\d\.\d to 02:1\d:\d\d\.\d, [\dms.\s]+$/);
    await page.mouse.up();
    await expect.poll(() => hashOf(page)).toMatch(/^#\/\?from=2026-03-14T02:\d\d:.*&until=2026-03-14T02:1\d:/);
    expect(await tipOf(page).count()).toBe(0);
    // A click is still a click.
    const there = await barOf(page, /raised/);
    await page.mouse.click(there.x, there.y);
    await expect.poll(() => hashOf(page)).toMatch(/^#\/shoots\/shoot--dev--raised\?turn=/);
  });
});
