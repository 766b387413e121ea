import type { Locator, Page } from 'playwright-core';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { findingsOf } from './axe-findings.ts';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('hard');

/** A value of an answer: where it stands, or its words, which may be a part of a long sentence. */
type Place = Locator | RegExp;

/** Goes from the start page to the answer by `click`, and gives where each value of the answer stands. */
type Question = Readonly<{
  asks: string;
  mostClicks: number;
  /** On a phone, the row that answers may stand below the headline and the lanes. */
  mayScroll?: true;
  answer: (page: Page, click: (what: Locator) => Promise<void>) => Promise<readonly Place[]>;
}>;

type Bounds = Readonly<{ top: number; bottom: number }>;

/** From the first line of a value to its last one, in pixels of the screen. */
async function boundsOf(page: Page, place: Place): Promise<Bounds> {
  if (place instanceof RegExp) {
    await page.getByText(place).first().waitFor();
    return await page.evaluate<Bounds>(boundsOfWords(place));
  }
  await place.waitFor();
  const box = await place.boundingBox();
  return box === null ? { top: -1, bottom: -1 } : { top: box.y, bottom: box.y + box.height };
}

/** Runs in the page. */
const boundsOfWords = (words: RegExp) => `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const found = ${String(words)}.exec(text.textContent);
    if (found === null) continue;
    const range = document.createRange();
    range.setStart(text, found.index);
    range.setEnd(text, found.index + found[0].length);
    const { top, bottom } = range.getBoundingClientRect();
    return { top, bottom };
  }
})()`;

const entryOf = (page: Page, subject: string) => page.getByRole('article').filter({ hasText: subject }).first();
const whyOf = (page: Page, subject: string) =>
  page.getByRole('link', { name: `See why: the deciding turn of ${subject}`, exact: true });
const title = (page: Page, words: RegExp) =>
  page.getByRole('region', { name: 'One turn' }).getByRole('heading', { name: words });
const answered = (page: Page, words: RegExp) => page.locator('.ask-answer').filter({ hasText: words });

const questions: readonly Question[] = [
  {
    asks: 'why was A scaled down at that instant?',
    mostClicks: 1,
    async answer(page, click) {
      await click(whyOf(page, 'shoot--dev--raised'));
      return [title(page, /Cut off: 3 of 5 leases are 30\.0 s old or older, 60 % are needed/)];
    },
  },
  {
    asks: 'why not B, at the same instant?',
    mostClicks: 2,
    async answer(page, click) {
      await click(whyOf(page, 'shoot--dev--raised'));
      const others = page.getByRole('navigation', { name: 'Others at this instant' });
      await click(others.getByRole('link', { name: 'shoot--dev--calm' }));
      await page.getByRole('heading', { name: 'shoot--dev--calm', level: 1 }).waitFor();
      expect(new URL(page.url()).hash).toMatch(/^#\/shoots\/shoot--dev--calm\?at=2026-03-14T02:12:25\.\d+Z$/);
      return [answered(page, /connected|0 of 5|no lease/i)];
    },
  },
  {
    asks: 'what with 0.7?',
    mostClicks: 2,
    async answer(page, click) {
      await click(whyOf(page, 'shoot--dev--raised'));
      await click(page.getByRole('button', { name: 'What if?' }));
      await page.getByLabel('nodeLeaseFailureFraction').fill('0.7');
      return [answered(page, /otherwise|later|not/)];
    },
  },
  {
    asks: 'who brought it back?',
    mostClicks: 0,
    mayScroll: true,
    answer: (page) =>
      Promise.resolve([entryOf(page, 'shoot--dev--handover').getByText(/brought back by the prober .*-prober-b/)]),
  },
  {
    asks: 'did somebody interfere?',
    mostClicks: 0,
    answer: () => Promise.resolve([/had kube-controller-manager raised by somebody else/]),
  },
  {
    asks: 'did the leader change in mid-outage?',
    mostClicks: 0,
    mayScroll: true,
    answer: (page) =>
      Promise.resolve([
        entryOf(page, 'shoot--dev--handover').getByText(/took the lead at 02:23:46\.0 from .*-prober-a/),
        page.getByRole('img', { name: /prober-b took the lead at 02:23:46\.0/ }),
      ]),
  },
  {
    asks: 'what was the storm of 60?',
    mostClicks: 0,
    answer: (page) =>
      Promise.resolve([page.getByText(/cut off, 02:02:25 to 02:02:3\d, all back by 02:06:4\d/).first()]),
  },
  {
    asks: 'what did the weeder do, one after the other?',
    mostClicks: 1,
    mayScroll: true,
    async answer(page, click) {
      const both = page.getByRole('article').filter({ hasText: '2 services' });
      await click(both.getByRole('button', { name: /^recovery/ }));
      return ['etcd-main-client', 'kube-apiserver'].map((service) =>
        page.getByRole('article').getByRole('link', { name: `shoot--dev--etcd/${service}`, exact: true }),
      );
    },
  },
];

const table: string[] = [];
afterAll(() => process.stdout.write(`\n${table.join('\n')}\n`));

describe.each([
  ['a screen', { width: 1_440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const)('9.7 9.15 9.16 a night that nobody has seen before, on %s', (screen, viewport) => {
  test.each(questions)('$asks', async ({ asks, mostClicks, mayScroll = false, answer }) => {
    await visit({ origin: origin(), options: { viewport } }, async (page) => {
      let clicks = 0;
      await page.getByRole('article').first().waitFor();
      const begun = performance.now();
      const values = await answer(page, async (what) => {
        await what.click();
        clicks += 1;
      });
      const places = await Promise.all(values.map((value) => boundsOf(page, value)));
      const seconds = (performance.now() - begun) / 1_000;
      const inSight = places.every(({ top, bottom }) => top >= 0 && bottom > top && bottom <= viewport.height);
      table.push(
        `${screen.padEnd(9)} ${asks.padEnd(46)} ${clicks} clicks ${seconds.toFixed(1).padStart(5)} s  ${inSight ? 'in sight' : 'below'}`,
      );
      expect(clicks).toBeLessThanOrEqual(mostClicks);
      expect(inSight || (mayScroll && screen === 'a phone')).toBe(true);
    });
  });
});

test('9.11 the lanes of a shoot say who led, and the pointer who took the lead from whom', async () => {
  await visit({ origin: origin(), at: '#/shoots/shoot--dev--handover' }, async (page) => {
    await page.getByRole('list', { name: 'Lanes' }).getByText('who led', { exact: true }).waitFor();
    const lane = page.locator('.machine-name').filter({ hasText: 'who led' });
    await lane.scrollIntoViewIfNeeded();
    const name = await lane.boundingBox();
    const axis = await page.getByRole('slider', { name: 'Turns in time' }).boundingBox();
    if (name === null || axis === null) throw new Error('the lane has no place');
    await page.mouse.move(axis.x + axis.width - 20, name.y + name.height / 2);
    const told = page.getByText(/prober-b took the lead at 02:23:46\.0 from .*-prober-a/);
    await told.waitFor();
    expect(await told.count()).toBe(1);
  });
});

test.each(['light', 'dark'] as const)('9.16 axe finds nothing in a night with an open storm, %s', async (scheme) => {
  await visit({ origin: origin(), scheme }, async (page) => {
    await page
      .getByRole('article')
      .filter({ hasText: '60 shoots' })
      .getByRole('button', { name: /^outage/ })
      .click();
    await page.getByRole('article').filter({ hasText: 'shoot--storm--2 ' }).first().waitFor();
    // What was opened stands in the address.
    expect(new URL(page.url()).hash).toMatch(/^#\/\?open=outage-\d+$/);
    expect(await findingsOf(page)).toEqual([]);
  });
});
