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

test('9.19 the page begins with the whole in one sentence, why a shoot was too late, and what to do, with the runbook', async () => {
  await visit({ origin: origin() }, async (page) => {
    const told = page.getByRole('heading', { level: 1 });
    await told.getByRole('link', { name: 'shoot--dev--refused' }).waitFor();
    expect(await told.textContent()).toMatch(
      /^3 outages, 1 shoot still cut off, 2 shoots brought back, 2 in time; shoot--dev--refused was \S+\ss too late: the seed refused a write for \S+\ss\.$/,
    );
    const todo = page.getByRole('complementary', { name: 'What to do now' }).getByRole('listitem');
    expect(await todo.allTextContents()).toEqual([
      expect.stringMatching(/^shoot--dev--refused In the shoot: kubectl get nodes, .* Runbook ShootProtectedTooLate$/),
      expect.stringMatching(/^shoot--dev--still-cut Repair the way .* Runbook ShootCutOff$/),
    ]);
    const link = await todo
      .first()
      .getByRole('link', { name: /^Runbook/ })
      .getAttribute('href');
    const runbooks = await page.request.get(`${origin()}/${link?.split('#')[0]}`);
    expect(await runbooks.text()).toContain('\n## ShootProtectedTooLate\n');
  });
});
