import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findingsOf } from './axe-findings.ts';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';
import { markup } from './nights.ts';

const { visit } = browsing();
const mixed = inspectedByAll('mixed');
const hostile = inspectedByAll('markup');

const panelOf = (page: Page) => page.getByRole('region', { name: 'Ask about this turn' });
const answerOf = (page: Page) => panelOf(page).locator('.ask-answer');
const saidOf = (page: Page) => panelOf(page).locator('p[role=status]');
const questions = ['Why not scaled down?', 'Why not scaled up?', 'What if?'];

/** From last night to the turn that decided the first outage of this shoot. */
async function toDecidingTurn(page: Page, shoot: string): Promise<void> {
  await page
    .getByRole('link', { name: `See why: the deciding turn of ${shoot}` })
    .first()
    .click();
  await panelOf(page).waitFor();
}

/** Presses a key until this has the focus. */
async function reach(page: Page, wanted: Locator, key: string): Promise<void> {
  await wanted.waitFor();
  for (let presses = 0; presses < 120; presses++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead there`);
}

test('9.12 what another configuration would have made of the whole night is played in the page, and stands in a table', async () => {
  await visit({ origin: mixed.origin() }, async (page) => {
    await page.getByText('What if, for the whole night?').click();
    const night = page.locator('.night-what-if');
    await night.getByLabel('nodeLeaseFailureFraction').fill('7');
    await night.getByText(/"7" cannot be used/).waitFor();
    expect(await night.getByRole('button', { name: 'Play the night' }).isDisabled()).toBe(true);
    await night.getByLabel('nodeLeaseFailureFraction').fill('0.9');
    await night.getByRole('button', { name: 'Play the night' }).click();
    const answer = night.getByRole('status');
    await expect.poll(() => answer.innerText()).toMatch(/^\d+ (later|scale-downs? fewer).*too late\.$/);
    await expect.poll(() => night.locator('tbody tr').count()).toBeGreaterThan(0);
    expect(await night.locator('tbody tr').first().innerText()).toMatch(/scaled down/);
    expect(await findingsOf(page)).toEqual([]);
    expect(new URL(page.url()).hash).toBe('#/?ask=whatIf&nodeLeaseFailureFraction=0.9');
    await night.locator('tbody tr th a').first().click();
    await panelOf(page).waitFor();
    // Back, and whoever opens the address, has the same question with its answer.
    await page.goBack();
    expect(await night.getByLabel('nodeLeaseFailureFraction').inputValue()).toBe('0.9');
    await expect.poll(() => night.locator('tbody tr').count()).toBeGreaterThan(0);
    await night.getByLabel('nodeLeaseFailureFraction').fill('0.8');
    await expect.poll(() => night.locator('tbody tr').count()).toBe(0);
    await night.getByText('What if, for the whole night?').click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#/');
  });
});

test.each(['in a tab that shows the night', 'afresh'])(
  '9.12 a link to what if of a night plays, with its answer in sight: %s',
  async (where) => {
    const link = '#/?ask=whatIf&nodeLeaseFailureFraction=0.9';
    const isOpen = where !== 'afresh';
    await visit({ origin: mixed.origin(), ...(isOpen ? {} : { at: link }) }, async (page) => {
      await page.getByRole('article').first().waitFor();
      if (isOpen) await page.goto(`${mixed.origin()}/${link}`);
      const answer = page.locator('.night-what-if').getByRole('status');
      await expect.poll(() => answer.innerText()).toMatch(/^\d+ (later|scale-downs? fewer).*too late\.$/);
      await expect.poll(async () => ((await answer.boundingBox())?.y ?? Infinity) < 880).toBe(true);
      expect((await answer.boundingBox())?.y).toBeGreaterThan(0);
    });
  },
);

describe('9.7 what can be asked about the turn that decided an outage', () => {
  test('is asked by keyboard alone, and what came of it is said aloud', async () => {
    await visit({ origin: mixed.origin() }, async (page) => {
      const panel = panelOf(page);
      await reach(page, page.getByRole('link', { name: 'See why: the deciding turn of shoot--dev--cut' }), 'Tab');
      await page.keyboard.press('Enter');
      await panelOf(page).waitFor();
      // Nobody asked yet.
      expect(await saidOf(page).innerText()).toBe('');
      await reach(page, panel.getByRole('button', { name: 'Why not scaled up?' }), 'Tab');
      await page.keyboard.press('Enter');
      await answerOf(page).waitFor();
      const whyNot = await answerOf(page).innerText();
      expect(whyNot).toMatch(/cut off/i);
      await expect.poll(() => saidOf(page).innerText()).toBe(whyNot);

      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await reach(page, panel.getByLabel('nodeLeaseFailureFraction'), 'Tab');
      await page.keyboard.type('0.8');
      const would = panel.getByRole('region', { name: /^What it would have done/ });
      await would.getByText('not real').waitFor();
      await expect
        .poll(() => saidOf(page).innerText())
        .toMatch(/^With nodeLeaseFailureFraction 0\.8: (scaled down .* (later|sooner)|not scaled down at all)/);
      expect(await saidOf(page).innerText()).toBe(await answerOf(page).innerText());
      const decided = panel.getByRole('region', { name: 'What it did' });
      expect(await decided.innerText()).toContain('scaling down');
      expect(await would.innerText()).not.toContain('scaling down');

      // What cannot be used is said aloud as well.
      await page.keyboard.type('x');
      await expect.poll(() => saidOf(page).innerText()).toContain('nodeLeaseFailureFraction');
    });
  });

  test('has a link, which asks the same in another tab', async () => {
    let link = '';
    let answer = '';
    const options = { permissions: ['clipboard-read', 'clipboard-write'] };
    await visit({ origin: mixed.origin(), options }, async (page) => {
      await toDecidingTurn(page, 'shoot--dev--cut');
      const panel = panelOf(page);
      await panel.getByRole('button', { name: 'What if?' }).click();
      await answerOf(page).waitFor();
      const before = await answerOf(page).innerText();
      await panel.getByLabel('nodeLeaseFailureFraction').fill('0.8');
      await panel.getByLabel('Age of node-4', { exact: true }).fill('12s');
      await expect.poll(() => answerOf(page).innerText()).not.toBe(before);
      answer = await answerOf(page).innerText();
      await panel.getByRole('button', { name: 'Copy link to this question' }).click();
      await panel.getByText('copied', { exact: true }).waitFor();
      link = await page.evaluate<string>('navigator.clipboard.readText()');
    });
    await visit({ origin: mixed.origin(), at: new URL(link).hash }, async (page) => {
      const panel = panelOf(page);
      await expect.poll(() => answerOf(page).innerText()).toBe(answer);
      expect(await panel.getByRole('button', { name: 'What if?' }).getAttribute('aria-pressed')).toBe('true');
      expect(await panel.getByLabel('nodeLeaseFailureFraction').inputValue()).toBe('0.8');
      expect(await panel.getByLabel('Age of node-4', { exact: true }).inputValue()).toBe('12s');
    });
  });
});

describe.each(['light', 'dark'] as const)('9.7 axe finds nothing in the answers, %s', (scheme) => {
  test.each(questions)('%s', async (question) => {
    await visit({ origin: mixed.origin(), scheme }, async (page) => {
      await toDecidingTurn(page, 'shoot--dev--cut');
      await panelOf(page).getByRole('button', { name: question }).click();
      // With a field that cannot be used, too.
      if (question === 'What if?') await panelOf(page).getByLabel('failureThreshold').fill('-1');
      await answerOf(page).or(panelOf(page).locator('.ask-refused')).waitFor();
      expect(await findingsOf(page)).toEqual([]);
    });
  });
});

test('9.7 names that are markup are text in the answers', async () => {
  await visit({ origin: hostile.origin() }, async (page) => {
    await toDecidingTurn(page, markup);
    const panel = panelOf(page);
    const isText = async (what: string) => {
      expect([what, await page.locator('img, [onerror]').count(), await page.title()]).toEqual([
        what,
        0,
        `${markup} · dependency-watchdog`,
      ]);
    };
    for (const question of questions) {
      await panel.getByRole('button', { name: question }).click();
      await answerOf(page).waitFor();
      await isText(question);
    }
    // A lease that is refused is named, and so is one that is imagined.
    const age = panel.getByLabel(`Age of ${markup}0`, { exact: true });
    await age.fill('soon');
    await expect.poll(() => panel.locator('.ask-refused').innerText()).toContain(markup);
    await expect.poll(() => saidOf(page).innerText()).toContain(markup);
    await isText('refused');
    await age.fill('1s');
    await answerOf(page).waitFor();
    await isText('imagined');
  });
});
