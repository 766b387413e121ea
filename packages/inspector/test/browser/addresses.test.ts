import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

const turnOf = (page: Page) => page.getByRole('region', { name: 'One turn' }).getByRole('heading', { level: 2 });
const addressOf = (page: Page) => new URL(page.url()).hash;

describe('9.7 everything that is shown has an address', () => {
  test('a link to one turn leads there in another browser', async () => {
    let link = '';
    let heading = '';
    await visit({ origin: origin() }, async (page) => {
      await page.getByRole('link', { name: 'See why: the deciding turn of shoot--dev--cut' }).click();
      const turn = page.getByRole('region', { name: 'One turn' });
      heading = await turn.getByRole('heading', { level: 2 }).innerText();
      link = (await turn.getByRole('link', { name: /^event \d+$/ }).getAttribute('href')) ?? '';
    });
    expect(link).toMatch(/^#\/shoots\/shoot--dev--cut\?turn=.+\.\d+&at=2026-03-14T02:/);
    await visit({ origin: origin(), at: link }, async (page) => {
      const turn = page.getByRole('region', { name: 'One turn' });
      expect(await turn.getByRole('heading', { level: 2 }).innerText()).toBe(heading);
    });
  });

  test('back and forward go where one was', async () => {
    await visit({ origin: origin() }, async (page) => {
      await page.getByRole('link', { name: 'See why: the deciding turn of shoot--dev--cut' }).click();
      await page.getByRole('region', { name: 'One turn' }).waitFor();
      const turn = addressOf(page);
      await page.getByRole('link', { name: 'The seed' }).click();
      await page.getByRole('row', { name: 'shoot--dev--calm' }).waitFor();
      await page.goBack();
      await page.getByRole('region', { name: 'One turn' }).waitFor();
      expect(addressOf(page)).toBe(turn);
      await page.goBack();
      await page.getByRole('link', { name: 'See why: the deciding turn of shoot--dev--cut' }).waitFor();
      await page.goForward();
      await page.goForward();
      await page.getByRole('row', { name: 'shoot--dev--calm' }).waitFor();
      expect(await page.title()).toMatch(/^The seed/);
    });
  });

  test('a dialog does not stay in front of what one goes back to', async () => {
    await visit({ origin: origin() }, async (page) => {
      await page.getByRole('navigation').getByRole('link', { name: 'The seed' }).click();
      await page.getByRole('button', { name: 'Keys and help' }).click();
      await page.getByRole('dialog').waitFor();
      await page.goBack();
      await page.getByRole('article').first().waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });
  });

  test('a filter stands in the address, and an address filters', async () => {
    await visit({ origin: origin(), at: '#/seed' }, async (page) => {
      await page.getByRole('searchbox', { name: 'Filter by text' }).fill('calm');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      expect(addressOf(page)).toBe('#/seed?text=calm');
    });
    await visit({ origin: origin(), at: '#/seed?text=etcd' }, async (page) => {
      await page.getByRole('row', { name: 'kube-apiserver' }).waitFor();
      // The head, and both services.
      expect(await page.getByRole('row').count()).toBe(3);
      expect(await page.getByRole('searchbox', { name: 'Filter by text' }).inputValue()).toBe('etcd');
    });
  });

  test('9.15 an instant opens the last turn by then, and what is asked there comes back with its address', async () => {
    let address = '';
    const shown: string[] = [];
    const at = '#/shoots/shoot--dev--cut?at=2026-03-14T02:02:40Z';
    await visit({ origin: origin(), at }, async (page) => {
      expect(await turnOf(page).innerText()).toMatch(/^02:02:40\.1 /);
      await page.getByRole('button', { name: 'What if?' }).click();
      await page.getByLabel('nodeLeaseFailureFraction').fill('0.7');
      await page.getByRole('searchbox', { name: 'Find in turns' }).fill('probe 12');
      await page.getByLabel('consequences only').check();
      await page.getByRole('button', { name: 'Nearer' }).click();
      await expect.poll(() => addressOf(page)).toMatch(/from=2026-03-14T02:02:\d\d\.\d+Z&until=2026-03-14T02:/);
      address = addressOf(page);
      shown.push(await turnOf(page).innerText(), await page.locator('.ask-answer').innerText());
    });
    expect(address).toMatch(/turn=.+&ask=whatIf&nodeLeaseFailureFraction=0\.7/);
    await visit({ origin: origin(), at: address }, async (page) => {
      await expect.poll(() => turnOf(page).innerText()).toBe(shown[0]);
      await expect.poll(() => page.locator('.ask-answer').innerText()).toBe(shown[1]);
      expect(await page.getByRole('searchbox', { name: 'Find in turns' }).inputValue()).toBe('probe 12');
      expect(await page.getByLabel('consequences only').isChecked()).toBe(true);
      expect(addressOf(page)).toBe(address);
      // All is in this one address: nothing of it was written by the page itself.
      await page.getByRole('button', { name: 'Outage' }).click();
      await expect.poll(() => addressOf(page)).not.toMatch(/from=/);
    });
  });

  test('9.15 from one shoot to another at the same instant; before its first turn that is said', async () => {
    await visit({ origin: origin(), at: '#/shoots/shoot--dev--cut?at=2026-03-14T02:02:40Z' }, async (page) => {
      await page.getByRole('combobox', { name: 'Shoot or service by its name' }).fill('calm');
      await page.getByRole('option', { name: 'shoot--dev--calm shoot' }).click();
      await page.getByRole('heading', { name: 'shoot--dev--calm' }).waitFor();
      expect(addressOf(page)).toBe('#/shoots/shoot--dev--calm?at=2026-03-14T02:02:40.000Z');
      const first = page.getByRole('region', { name: 'One turn' }).getByRole('heading', { level: 2 });
      expect(await first.innerText()).toMatch(/^02:02:\d\d/);
      await page.goBack();
      await page.getByRole('heading', { name: 'shoot--dev--cut' }).waitFor();
    });
    await visit({ origin: origin(), at: '#/shoots/shoot--dev--cut?at=2026-03-14T01:59Z' }, async (page) => {
      await page.getByText('Nothing is recorded from before that instant; the first one is shown.').waitFor();
    });
  });

  test('9.15 a part of time is kept from view to view', async () => {
    const range = 'from=2026-03-14T02:03:00.000Z&until=2026-03-14T02:04:30.000Z';
    await visit({ origin: origin(), at: `#/?${range}` }, async (page) => {
      await page.getByRole('article').filter({ hasText: 'shoot--dev--silent' }).waitFor();
      // It lasted into that time, and this one came later.
      expect(await page.getByRole('article').filter({ hasText: 'shoot--dev--cut' }).count()).toBe(1);
      expect(await page.getByRole('article').filter({ hasText: 'shoot--dev--still-cut' }).count()).toBe(0);
      await page.getByRole('link', { name: 'The seed' }).click();
      await page.getByRole('row', { name: 'shoot--dev--silent' }).waitFor();
      expect(addressOf(page)).toBe(`#/seed?${range}`);
      expect(await page.getByRole('row', { name: 'shoot--dev--calm' }).count()).toBe(0);
      await page.getByRole('link', { name: 'all of the time' }).click();
      await page.getByRole('row', { name: 'shoot--dev--calm' }).waitFor();
    });
  });

  test.each(['#/nowhere', '#/shoots/%E0%A4%A', '#/services/only-a-namespace', '#/shoots/'])(
    '%s says that it leads nowhere, and where to go',
    async (at) => {
      await visit({ origin: origin(), at }, async (page) => {
        await page.getByText('This address names no view.').waitFor();
        await page.getByRole('main').getByRole('link', { name: 'What happened' }).click();
        await page.getByRole('article').first().waitFor();
        expect(addressOf(page)).toBe('#/');
      });
    },
  );

  test('a shoot that nothing was recorded of is said not to be there, and what is called alike', async () => {
    const forgives = /404/;
    await visit({ origin: origin(), at: '#/shoots/shoot--prod--calm', forgives }, async (page) => {
      await page.getByRole('alert').getByText('Nothing of this name is recorded here.').waitFor();
      expect(await page.getByRole('region').count()).toBe(0);
      await page.getByRole('main').getByRole('link', { name: 'shoot--dev--calm' }).click();
      await page.getByRole('region', { name: 'One turn' }).waitFor();
    });
  });
});
