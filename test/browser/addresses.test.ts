import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

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

  test.each(['#/nowhere', '#/shoots/%E0%A4%A', '#/services/only-a-namespace', '#/shoots/'])(
    '%s says that it leads nowhere, and where to go',
    async (at) => {
      await visit({ origin: origin(), at }, async (page) => {
        await page.getByText('This address names no view.').waitFor();
        await page.getByRole('main').getByRole('link', { name: 'Last night' }).click();
        await page.getByRole('article').first().waitFor();
        expect(addressOf(page)).toBe('#/');
      });
    },
  );

  test('a shoot that nothing was recorded of is said not to be there', async () => {
    const forgives = /404/;
    await visit({ origin: origin(), at: '#/shoots/shoot--dev--unknown', forgives }, async (page) => {
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.innerText()).toContain('no event of shoot--dev--unknown is recorded');
    });
  });
});
