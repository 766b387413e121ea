import { expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';
import { views } from './views.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

/** The smallest window that the page is made for. */
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

/** In CSS pixels, of the narrowest and the widest part of the bar of an outage, and of the bar. */
const partsOfBar = `(() => {
  const bar = document.querySelector('.night-strip:has(.night-danger)');
  const parts = [...bar.children].map((part) => part.getBoundingClientRect().width);
  return { narrowest: Math.min(...parts), widest: Math.max(...parts), bar: bar.getBoundingClientRect().width };
})()`;

test('9.7 the way down takes a second of an outage of minutes, and is seen on its bar', async () => {
  await visit({ origin: origin(), at: '#/', options: { viewport } }, async (page) => {
    await page.getByRole('article').first().waitFor();
    const { narrowest, widest, bar } = await page.evaluate<Record<string, number>>(partsOfBar);
    expect(narrowest).toBeGreaterThanOrEqual(6);
    expect(widest! / bar!).toBeGreaterThan(0.6);
  });
});
