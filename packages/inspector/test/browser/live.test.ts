import { expect, test } from 'vitest';
import { Program } from '@dwd/testing/program.ts';
import { findingsOf } from './axe-findings.ts';
import { browsing } from './browsing.ts';
import { printedOrigin } from './printed-origin.ts';

const { visit } = browsing();

/** The browser says by itself that nothing answers any more. */
const forgives = /net::ERR_|status of 50\d/;

test('9.7 9.9 an outage is followed as it happens, from the start page to the lanes, until the program ends', async (context) => {
  const program = new Program(context, ['simulate', '--shoots=2', '--nodes=3', '--seed=7', '--speed=20', '--inspect']);
  const origin = await printedOrigin(program);
  await visit({ origin, forgives }, async (page) => {
    await page.getByRole('status').getByText('live').waitFor();
    const outage = page.getByRole('article').filter({ hasText: /\d of 3 leases expired/ });
    await outage.waitFor({ timeout: 60_000 });
    const name = await outage.getByRole('link').first().innerText();
    expect(await findingsOf(page)).toEqual([]);

    await page.getByRole('link', { name: 'The seed' }).click();
    await page.getByRole('row').filter({ hasText: name }).waitFor();
    await page.goto(`${origin}/#/shoots/${name}`);
    await page.getByRole('region', { name: 'One turn' }).waitFor();
    // The newest turn is followed as turns come.
    const turn = page.getByRole('region', { name: 'One turn' }).getByRole('heading', { level: 2 });
    const first = await turn.innerText();
    await expect.poll(() => turn.innerText()).not.toBe(first);

    await page.getByRole('link', { name: 'What happened' }).click();
    await outage.getByRole('button', { name: /^outage/ }).click();
    await outage.getByText('everything was brought back').waitFor({ timeout: 60_000 });
    expect(await outage.innerText()).toMatch(/connected again at [\d:.]+/);

    program.kill('SIGTERM');
    await program.ended;
    await page.getByRole('status').getByText('connection lost since').waitFor();
    await page.getByText('Does the program still run').waitFor();
    // What was shown stays.
    expect(await outage.count()).toBe(1);
  });
});

test('9.7 9.9 a recovery is followed as it happens', async (context) => {
  const story = ['--story=etcd-outage', '--shoots=1', '--seed=7', '--speed=20', '--inspect'];
  const program = new Program(context, ['simulate', ...story]);
  const origin = await printedOrigin(program);
  await visit({ origin }, async (page) => {
    const recovery = page.getByRole('article').filter({ hasText: 'recovery' }).filter({ hasText: 'pods restarted' });
    await recovery.first().waitFor({ timeout: 60_000 });
    await recovery
      .first()
      .getByRole('link', { name: /^See why/ })
      .click();
    const turn = page.getByRole('region', { name: 'One turn' });
    await turn.getByRole('row').filter({ hasText: 'crashLoops' }).first().waitFor();
    expect(await findingsOf(page)).toEqual([]);
  });
});
