import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');
const at = '#/shoots/shoot--dev--cut';

/** What is written on any canvas from now on. */
const keepWritten = `
  window.written = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
    window.written.push(text);
    return write.call(this, text, ...where);
  };`;

const writtenTimes = async (page: Page) =>
  (await page.evaluate<readonly string[]>('written.splice(0)')).filter((text) => /^\d\d:\d\d/.test(text));

describe('9.7 times on the ruler', () => {
  // Half an hour beside the full one, and an hour ahead.
  test.each([
    ['Asia/Kolkata', '07:3'],
    ['Europe/Berlin', '03:0'],
    ['America/New_York', '22:0'],
  ])('are those of %s after the switch, and of UTC before it', async (timezoneId, begins) => {
    await visit({ origin: origin(), options: { timezoneId } }, async (page) => {
      await page.addInitScript(keepWritten);
      await page.goto('about:blank');
      await page.goto(`${origin()}/${at}`);
      await page.getByRole('region', { name: 'One turn' }).waitFor();
      await page.keyboard.press('0');
      await expect.poll(() => writtenTimes(page)).toContainEqual(expect.stringMatching(/^02:0/));
      await page.getByText('local', { exact: true }).click();
      await expect.poll(() => writtenTimes(page)).toContainEqual(expect.stringMatching(`^${begins}`));
      await writtenTimes(page);
      await page.getByRole('button', { name: 'Nearer' }).click();
      await expect.poll(() => page.evaluate<number>('written.length')).toBeGreaterThan(0);
      expect((await writtenTimes(page)).filter((time) => !time.startsWith(begins.slice(0, 3)))).toEqual([]);
    });
  });
});

describe('9.7 playing', () => {
  // In ms: how long a turn is shown.
  test.each([
    ['reduce', 2_000],
    ['no-preference', 700],
  ] as const)('with %s of motion shows each turn for %d ms', async (reducedMotion, each) => {
    await visit({ origin: origin(), options: { reducedMotion } }, async (page) => {
      await page.clock.install();
      await page.goto('about:blank');
      await page.goto(`${origin()}/${at}`);
      await page.getByRole('region', { name: 'One turn' }).waitFor();
      await page.keyboard.press('Home');
      const shown = () => page.locator('.machine-reading').innerText();
      await expect.poll(shown).toMatch(/turn 1 of/);
      await page.clock.pauseAt(Date.now() + 3_600_000);
      await page.keyboard.press(' ');
      await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
      await page.clock.runFor(each - 50);
      expect(await shown()).toMatch(/turn 1 of/);
      await page.clock.runFor(100);
      await expect.poll(shown).toMatch(/turn 2 of/);
    });
  });
});

test('9.7 nothing moves for whoever asked for less motion', async () => {
  await visit({ origin: origin(), at }, async (page) => {
    await page.getByRole('region', { name: 'One turn' }).waitFor();
    const moving = await page.evaluate<number>('document.getAnimations().length');
    expect(moving).toBe(0);
  });
});
