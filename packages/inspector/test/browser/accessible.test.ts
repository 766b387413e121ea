import { describe, expect, test } from 'vitest';
import { findingsOf } from './axe-findings.ts';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';
import { screens, views } from './views.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

const schemes = ['light', 'dark'] as const;

describe.each(screens.flatMap(([on, viewport]) => schemes.map((scheme) => [on, scheme, viewport] as const)))(
  '9.7 axe finds nothing %s, %s',
  (_, scheme, viewport) => {
    test.each(views)('in $name', async ({ at, drawn }) => {
      await visit({ origin: origin(), at, scheme, options: { viewport } }, async (page) => {
        await drawn(page).first().waitFor();
        if (at.startsWith('#/s') && !at.endsWith('seed'))
          await page.getByRole('region', { name: 'One turn' }).waitFor();
        expect(await findingsOf(page)).toEqual([]);
        // What does not fit is moved sideways in itself, never the page.
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(viewport.width);
      });
    });
  },
);

describe.each(schemes)('9.7 axe finds nothing, %s', (scheme) => {
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

  test('behind the whole chart, with a state that was clicked', async () => {
    await visit({ origin: origin(), at: '#/shoots/shoot--dev--cut', scheme }, async (page) => {
      await page.getByRole('button', { name: 'probing, the active state' }).click();
      expect(await findingsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Whole chart' }).click();
      expect(await findingsOf(page)).toEqual([]);
    });
  });
});
