/** Takes the pictures of the inspector's views that docs/inspector.md shows. Called by `npm run docs`; it needs a Chromium. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { chromium, type Locator, type Page } from 'playwright-core';
import { palettePng } from '../../../../hack/docs/palette-png.ts';
import type { Picture } from '../../../../hack/docs/pictures.ts';
import { readPng } from '../../../../hack/docs/read-png.ts';
import { findProgram } from '@dwd/lab/programs/find-program.ts';
import { weededNamespace } from '../support/played-services.ts';
import { Program } from '@dwd/testing/program.ts';
import { writeNights } from './nights.ts';
import { printedOrigin } from './printed-origin.ts';

type Shot = Readonly<{
  at: string;
  scheme?: 'dark';
  height?: number;
  /** Goes from there to what is shown, and gives what of the page is taken. */
  show: (page: Page) => Promise<Locator | Page>;
}>;

const decided = 'See why: the deciding turn of shoot--dev--cut';

/** The panel of the turn that decided the outage, once it is there. */
async function decidingTurn(page: Page): Promise<Locator> {
  await page.getByRole('link', { name: decided }).click();
  await page.getByRole('region', { name: 'One turn' }).getByRole('table').first().waitFor();
  return page.getByRole('region', { name: 'The turn' });
}

/** As high as all that is in it, which a reader scrolls. */
async function whole(panel: Locator): Promise<Locator> {
  await panel.evaluate((element: Readonly<{ style: Readonly<{ setProperty(name: string, value: string): void }> }>) =>
    element.style.setProperty('position', 'static'),
  );
  return panel;
}

/** The whole page with that turn. */
async function deciding(page: Page): Promise<Page> {
  await decidingTurn(page);
  return page;
}

/** The panel of the questions of that turn. */
async function asked(page: Page, question: string): Promise<Locator> {
  const panel = await decidingTurn(page);
  await page.getByRole('button', { name: question }).click();
  return await whole(panel);
}

const shots: Readonly<Record<Picture, Shot>> = {
  'night.png': { at: '#/', show: async (page) => await settled(page, page.getByRole('article')) },
  'seed.png': { at: '#/seed', height: 340, show: async (page) => await settled(page, page.getByRole('row')) },
  'shoot.png': { at: '#/', show: deciding },
  'shoot-dark.png': { at: '#/', scheme: 'dark', show: deciding },
  'turn.png': { at: '#/', height: 1_400, show: async (page) => await whole(await decidingTurn(page)) },
  'chart.png': {
    at: '#/',
    async show(page) {
      await decidingTurn(page);
      await page.getByRole('button', { name: 'Whole chart' }).click();
      return page.getByRole('dialog', { name: 'The statechart of the shoot machine' });
    },
  },
  'why-not.png': { at: '#/', height: 1_150, show: async (page) => await asked(page, 'Why not scaled up?') },
  'what-if.png': {
    at: '#/',
    height: 2_050,
    async show(page) {
      const panel = await asked(page, 'What if?');
      await page.getByLabel('nodeLeaseFailureFraction').fill('0.8');
      await page.getByLabel('nodeLeaseFailureFraction').blur();
      return panel;
    },
  },
  'service.png': {
    at: `#/services/${weededNamespace}/kube-apiserver`,
    show: async (page) => await settled(page, page.getByRole('region', { name: 'One turn' })),
  },
};

/** The whole page, once this is there. */
async function settled(page: Page, sign: Locator): Promise<Page> {
  await sign.first().waitFor();
  return page;
}

const dir = mkdtempSync(join(tmpdir(), 'dwd-pictures-'));
const into = join(import.meta.dirname, '../../../../docs/inspector');
mkdirSync(into, { recursive: true });
await writeNights(dir);
const ending: (() => unknown)[] = [];
const program = new Program({ onTestFinished: (end) => void ending.push(end as () => unknown) }, [
  'inspect',
  join(dir, 'mixed'),
]);
const origin = await printedOrigin(program);
const browser = await chromium.launch({
  executablePath: await findProgram('chromium-headless-shell'),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  for (const [file, { at, scheme = 'light', height = 900, show }] of Object.entries(shots)) {
    const page = await browser.newPage({
      viewport: { width: 1_400, height },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    });
    await page.goto(`${origin}/${at}`);
    const shown = await show(page);
    const png = palettePng(readPng(await shown.screenshot()));
    writeFileSync(join(into, file), png);
    process.stdout.write(`docs/inspector/${file}: ${png.length} bytes\n`);
    await page.close();
  }
} finally {
  await browser.close();
  for (const end of ending) await end();
  rmSync(dir, { recursive: true });
}
