import { expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';
import { views } from './views.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

/** The smallest window in which views stand side by side. */
const viewport = { width: 1_100, height: 800 };

/** What of a view lies beyond the window, or can be reached only by scrolling sideways or by scrolling the whole page. */
const beyond = `[
  ...[...document.querySelectorAll('header *, main *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || (one.scrollWidth > one.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(one).overflowX)))
    .map((one) => one.tagName + '.' + one.className),
  ...(document.documentElement.scrollHeight > innerHeight ? ['the page is longer than the window'] : []),
]`;

test.each(views)('9.7 $name fits into a window of 1,100 pixels', async ({ at, drawn }) => {
  await visit({ origin: origin(), at, options: { viewport } }, async (page) => {
    await drawn(page).first().waitFor();
    if (at.startsWith('#/shoots/')) await page.getByRole('region', { name: 'Ask about this turn' }).waitFor();
    expect(await page.evaluate<readonly string[]>(beyond)).toEqual([]);
  });
});

/** A phone, upright. Of a view it may be longer, and a whole seed's table scrolls sideways in itself. */
const phone = { width: 390, height: 844 };

test('9.7 on a phone, a click on what happened shows the guard that decided it, with its values, without scrolling', async () => {
  await visit({ origin: origin(), options: { viewport: phone } }, async (page) => {
    await page.getByRole('link', { name: 'See why: the deciding turn of shoot--dev--cut' }).click();
    const turn = page.getByRole('region', { name: 'One turn' });
    const title = turn.getByRole('heading', {
      name: /Cut off: 3 of 5 leases are 30\.0 s old or older, 60 % are needed/,
    });
    await title.waitFor();
    const guard = turn.getByRole('row').filter({ hasText: 'isCutOff' }).first();
    for (const one of [title, guard.getByRole('rowheader')]) {
      const box = await one.boundingBox();
      expect(box!.y + box!.height).toBeLessThanOrEqual(phone.height);
    }
  });
});

test('9.12 on a phone, the answer of a whole night comes into sight', async () => {
  await visit({ origin: origin(), options: { viewport: phone } }, async (page) => {
    await page.getByText('What if, for the whole night?').click();
    const night = page.locator('.night-what-if');
    await night.getByLabel('nodeLeaseFailureFraction').fill('0.9');
    await night.getByRole('button', { name: 'Play the night' }).click();
    const answer = night.getByRole('status');
    await expect.poll(() => answer.innerText()).toMatch(/too late\.$/);
    await expect.poll(async () => bottomOf(await answer.boundingBox())).toBeLessThanOrEqual(phone.height);
  });
});

function bottomOf(box: Readonly<{ y: number; height: number }> | null): number {
  return box === null ? Infinity : box.y + box.height;
}

/** In CSS pixels, of the narrowest and the widest part of the bar of an outage, and of the bar. */
const partsOfBar = `(() => {
  const bar = document.querySelector('.night-strip:has(.night-danger)');
  const parts = [...bar.children].map((part) => part.getBoundingClientRect().width);
  return { narrowest: Math.min(...parts), widest: Math.max(...parts), bar: bar.getBoundingClientRect().width };
})()`;

test('9.7 the way down takes a second of an outage of minutes, and is seen on its bar', async () => {
  await visit({ origin: origin(), at: '#/', options: { viewport } }, async (page) => {
    await page
      .getByRole('button', { name: /outage/ })
      .nth(1)
      .click();
    const { narrowest, widest, bar } = await page.evaluate<Record<string, number>>(partsOfBar);
    expect(narrowest).toBeGreaterThanOrEqual(6);
    expect(widest! / bar!).toBeGreaterThan(0.6);
  });
});
