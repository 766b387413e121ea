import { expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

/** The promise of the page: more than these clicks, and a stranger is lost at three in the morning. */
const mostClicks = 3;

test('9.7 a file is not live: what nobody ended is said to have been open when the record ended', async () => {
  await visit({ origin: origin() }, async (page) => {
    const open = page.getByRole('region', { name: /^Open when the record ends: / });
    await open
      .getByRole('button', { name: /outage/ })
      .first()
      .click();
    await open.getByText('until the record ends').first().waitFor();
    expect(await page.getByText(/Going on now|so far/).count()).toBe(0);
  });
});

test('9.7 a stranger gets from the start page to the guard that decided an outage in a few clicks', async () => {
  await visit({ origin: origin() }, async (page) => {
    let clicks = 0;
    const night = page.getByRole('article').filter({ hasText: 'shoot--dev--cut' }).filter({ hasText: 'outage' });
    // The sentence says why, before anything is clicked.
    await night.getByText('3 of 5 leases').first().waitFor();

    await night.getByRole('link', { name: /^See why/ }).click();
    clicks += 1;
    const turn = page.getByRole('region', { name: 'One turn' });
    const guard = turn.getByRole('row').filter({ hasText: 'isCutOff' }).first();
    await guard.waitFor();
    expect(await guard.getByRole('cell').first().innerText()).toMatch(/yes/);
    // What it saw, and the rule that it carries out.
    expect(await guard.innerText()).toMatch(/3 of 5/);
    expect(await guard.innerText()).toMatch(/\b5\.\d/);
    expect(clicks).toBeLessThanOrEqual(mostClicks);
  });
});
