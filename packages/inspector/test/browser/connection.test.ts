import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { meltdown, ofShoots } from '@dwd/testing/recorded-nights.ts';
import { browsing } from './browsing.ts';
import { livePage } from './live-page.ts';

const { visit } = browsing();
const story = await meltdown();
const shoot = 'shoot--0';

/** What the browser says by itself of an answer that it did not get. */
const forgives = /Failed to load resource|ERR_/;

const standing = (page: Page) => page.getByRole('banner').getByRole('status').first();
const nameOf = (page: Page, name: string) => page.getByRole('row', { name });
const countOf = async (page: Page) =>
  Number(/^([\d,]+) turns?/.exec(await page.locator('.machine-span').innerText())?.[1]);

const takeAll = async (page: Page) => {
  await nameOf(page, 'shoot--1').waitFor();
  await page.getByRole('button', { name: 'About' }).click();
  await page.getByRole('button', { name: 'Replay all turns' }).click();
  return page.getByRole('region', { name: 'Replay' });
};

describe('9.7 a server that goes away', () => {
  test('is said to be lost with a remedy, and when it is back, everything is told anew', async () => {
    const { origin, take, kill, startAfresh } = await livePage();
    take(ofShoots(story.slice(0, 20), 2));
    await visit({ origin, at: '#/seed', forgives }, async (page) => {
      await nameOf(page, 'shoot--1').waitFor();
      await expect.poll(() => standing(page).innerText()).toBe('live');
      await kill();
      await expect.poll(() => standing(page).innerText()).toMatch(/^connection lost since \d\d:\d\d:\d\d/);
      await page.getByText('Does the program still run, and kubectl port-forward with it?').waitFor();
      // What is known stays to be read.
      expect(await nameOf(page, 'shoot--1').count()).toBe(1);
      await startAfresh();
      take(ofShoots(story.slice(0, 20), 1));
      await expect.poll(() => standing(page).innerText()).toBe('live');
      await expect.poll(() => nameOf(page, 'shoot--1').count()).toBe(0);
      expect(await nameOf(page, shoot).count()).toBe(1);
      expect(await page.getByText('Does the program still run').count()).toBe(0);
      take(ofShoots(story.slice(20, 21), 3));
      await nameOf(page, 'shoot--2').waitFor();
    });
  });

  test('is followed again on the page of a machine', async () => {
    const { origin, take, kill, startAfresh } = await livePage();
    take(ofShoots(story.slice(0, 20), 1));
    await visit({ origin, at: `#/shoots/${shoot}`, forgives }, async (page) => {
      await expect.poll(() => countOf(page)).toBe(20);
      await kill();
      await expect.poll(() => standing(page).innerText()).toMatch(/^connection lost/);
      await startAfresh();
      take(ofShoots(story.slice(0, 25), 1));
      await expect.poll(() => standing(page).innerText()).toBe('live');
      await expect.poll(() => countOf(page)).toBeGreaterThan(20);
    });
  });
});

describe('9.7 a reader that was told that it missed something', () => {
  test('asks anew how the seed stands', async () => {
    const { origin, take, faults } = await livePage();
    take(ofShoots(story.slice(0, 20), 1));
    await visit({ origin, at: '#/seed' }, async (page) => {
      await nameOf(page, shoot).waitFor();
      await expect.poll(() => standing(page).innerText()).toBe('live');
      faults.losing = true;
      take(ofShoots(story.slice(20, 21), 2));
      await expect.poll(() => faults.losing).toBe(false);
      await nameOf(page, 'shoot--1').waitFor();
      expect(await standing(page).innerText()).toBe('live');
    });
  });

  test('asks again for the turns of its machine, and no one is missing or shown twice', async () => {
    const { origin, take, faults } = await livePage();
    take(ofShoots(story.slice(0, 20), 1));
    await visit({ origin, at: `#/shoots/${shoot}` }, async (page) => {
      await expect.poll(() => countOf(page)).toBe(20);
      const told = ofShoots(story.slice(0, 60), 1);
      take(told.slice(20, 25));
      await expect.poll(() => countOf(page)).toBe(25);
      faults.losing = true;
      take(told.slice(25, 26));
      await expect.poll(() => faults.losing).toBe(false);
      // This comes while nobody listens.
      take(told.slice(26, 40));
      await expect.poll(() => countOf(page)).toBe(40);
      take(told.slice(40));
      await expect.poll(() => countOf(page)).toBe(60);
      const agreement = page.getByText(/^replay (agrees|differs)/);
      expect(await agreement.innerText()).toBe('replay agrees: 60 turns');
    });
  });
});

test('9.7 without a place for its stream, the page asks for plain JSON, and is live as soon as there is one', async () => {
  const { origin, take } = await livePage({ mostStreams: 1 });
  take(ofShoots(story.slice(0, 20), 1));
  const leaving = new AbortController();
  const other = await fetch(`${origin}/events`, { signal: leaving.signal });
  expect(other.status).toBe(200);
  await visit({ origin, at: '#/seed', forgives }, async (page) => {
    await nameOf(page, shoot).waitFor();
    expect(await standing(page).innerText()).toMatch(/^connection lost/);
    await page.getByText('no stream of what happens').waitFor();
    take(ofShoots(story.slice(20, 21), 2));
    await nameOf(page, 'shoot--1').waitFor();
    expect(await standing(page).innerText()).toMatch(/^connection lost/);
    leaving.abort();
    await expect.poll(() => standing(page).innerText()).toBe('live');
    expect(await page.getByText('no stream of what happens').count()).toBe(0);
  });
});

describe('9.7 the page replays all turns', () => {
  test('of every machine, and says what came of it', async () => {
    const { origin, take } = await livePage();
    take(ofShoots(story.slice(0, 20), 2));
    await visit({ origin, at: '#/seed' }, async (page) => {
      const report = await takeAll(page);
      await expect.poll(() => report.innerText()).toContain('2 machines of 2: replay agrees: 40 turns');
    });
  });

  test('of all but those that cannot be asked for, and names the first of them', async () => {
    const { origin, take, faults } = await livePage();
    take(ofShoots(story.slice(0, 20), 2));
    faults.failing = /shoot--0\/turns/;
    await visit({ origin, at: '#/seed', forgives }, async (page) => {
      const report = await takeAll(page);
      await expect.poll(() => report.innerText()).toContain('2 machines of 2: replay agrees: 20 turns');
      expect(await report.innerText()).toContain('Not all could be asked for. shoot--0: 500 it fails');
    });
  });
});
