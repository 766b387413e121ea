import { describe, expect, test } from 'vitest';
import { findingsOf } from './axe-findings.ts';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';
import { views } from './views.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

describe.each(['light', 'dark'] as const)('9.7 axe finds nothing, %s', (scheme) => {
  test.each(views)('on $name', async ({ at, drawn }) => {
    await visit({ origin: origin(), at, scheme }, async (page) => {
      await drawn(page).first().waitFor();
      expect(await findingsOf(page)).toEqual([]);
    });
  });

  test.each([
    ['keys', 'Keys and help', 'Keys'],
    ['what is read', 'About', 'What this page shows'],
  ])('in the dialog of the %s', async (_, button, dialog) => {
    await visit({ origin: origin(), scheme }, async (page) => {
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('dialog', { name: dialog }).waitFor();
      expect(await findingsOf(page)).toEqual([]);
    });
  });

  test('behind the whole chart', async () => {
    await visit({ origin: origin(), at: '#/shoots/shoot--dev--cut', scheme }, async (page) => {
      await page.getByRole('button', { name: 'Whole chart' }).click();
      expect(await findingsOf(page)).toEqual([]);
    });
  });
});
