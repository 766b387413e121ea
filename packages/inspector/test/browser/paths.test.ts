import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findingsOf } from './axe-findings.ts';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';
import { twoPaths } from './nights.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('paths');

/** The internal path failed later that night: that is no outage. */
const outageOf = (page: Page) =>
  page.getByRole('article').filter({ hasText: 'the external path failed 3 times in a row' });

async function toDecidingTurn(page: Page): Promise<void> {
  await outageOf(page)
    .getByRole('link', { name: `See why: the deciding turn of ${twoPaths}` })
    .click();
  await page.getByRole('region', { name: 'One turn' }).getByRole('row').first().waitFor();
}

test('4.9 9.7 last night tells the outage of a shoot of two paths, and leads to the guard that decided it', async () => {
  await visit({ origin: origin() }, async (page) => {
    await outageOf(page).waitFor();
    await page.getByRole('article').filter({ hasText: 'it does not answer on the internal path' }).waitFor();
    await toDecidingTurn(page);
    const turn = page.getByRole('region', { name: 'One turn' });
    const guard = turn.getByRole('row').filter({ hasText: 'failureThresholdMet' }).first();
    expect(await guard.getByRole('cell').first().innerText()).toMatch(/yes/);
    expect(await guard.innerText()).toContain('3 cut off, 3 needed');
    const told = turn.getByRole('row').filter({ hasText: 'isCutOff' }).first();
    expect(await told.innerText()).toContain('failed 3 times in a row, 3 needed');
    const last = turn.getByRole('row').filter({ hasText: 'haveBothTold' }).first();
    expect(await last.innerText()).toContain('4.9');
  });
});

test('4.9 9.7 a shoot of two paths has a lane for each of them in place of its leases, and questions about them', async () => {
  await visit({ origin: origin() }, async (page) => {
    await toDecidingTurn(page);
    const lanes = await page.getByRole('list', { name: 'Lanes' }).getByRole('listitem').allInnerTexts();
    expect(lanes.slice(1, 5)).toEqual(['state', 'probe', 'internal path', 'external path']);
    const panel = page.getByRole('region', { name: 'Ask about this turn' });
    await panel.getByRole('button', { name: 'Why not scaled up?' }).click();
    await panel.getByText('answered on the internal path, and not on the external one').first().waitFor();

    await panel.getByRole('button', { name: 'What if?' }).click();
    expect(await panel.getByLabel('nodeLeaseFailureFraction').count()).toBe(0);
    expect(await panel.getByRole('table').count()).toBe(0);
    await panel.getByLabel('external path').selectOption('answered');
    const would = panel.getByRole('region', { name: /^What it would have done/ });
    await would.getByText('not real').waitFor();
    await expect
      .poll(() => panel.locator('.ask-answer').innerText())
      .toMatch(/^It would have decided otherwise: connected/);
    await panel.getByLabel('internal path').selectOption('timeout');
    await expect
      .poll(() => panel.locator('.ask-answer').innerText())
      .toMatch(/^It would have decided otherwise: no verdict/);
    expect(await findingsOf(page)).toEqual([]);
  });
});

test('4.9 9.7 the seed says what the paths told', async () => {
  await visit({ origin: origin(), at: '#/seed' }, async (page) => {
    const row = page.getByRole('row').filter({ hasText: twoPaths });
    await row.waitFor();
    expect(await row.innerText()).toContain('external path answers');
  });
});

test('4.9 9.7 the chart lights what two paths come to', async () => {
  await visit({ origin: origin() }, async (page) => {
    await toDecidingTurn(page);
    await page.getByRole('button', { name: 'Whole chart' }).click();
    const chart = page.getByRole('dialog', { name: 'The statechart of the shoot machine' });
    await chart.waitFor();
    for (const state of ['askingPaths', 'readingCluster'])
      expect(await chart.getByText(state, { exact: true }).count()).toBeGreaterThan(0);
    expect(await chart.getByText('probe: askingPaths → resting by path.answered, haveBothTold').count()).toBe(1);
  });
});
