import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';

type Visit = Readonly<{
  /** Where the page is served: `http://127.0.0.1:1234`. */
  origin: string;
  /** Behind it: `#/seed`. */
  at?: string;
  scheme?: 'light' | 'dark';
  /** What the browser says by itself where the test takes the server away. */
  forgives?: RegExp;
  options?: BrowserContextOptions;
}>;

export type Browsing = Readonly<{
  /** Opens a page in a context of its own, hands it over, and fails if it did what it must not. */
  visit: (where: Visit, look: (page: Page) => Promise<void>) => Promise<void>;
}>;

/** How long a test waits for what it expects on a page, in ms. A browser may share two cores with three lanes of CI. */
const patience = 40_000;

/** Nothing but this machine has an address for the browser, so that nothing leaves even before it is seen. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

/**
 * A browser for the tests of one file. What no page may do fails the test that opened it: a request to another address, a message
 * on the console, an error that nobody caught, a dialog, another page.
 */
export function browsing(): Browsing {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: inject('browser'), args: flags });
  });
  afterAll(async () => await browser?.close());
  return {
    async visit({ origin, at = '', scheme = 'light', forgives, options = {} }, look) {
      if (browser === undefined) throw new Error('no browser runs yet');
      const context = await browser.newContext({
        viewport: { width: 1_400, height: 900 },
        colorScheme: scheme,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        ...options,
      });
      context.setDefaultTimeout(patience);
      const misdeeds: string[] = [];
      const page = await context.newPage();
      watch(page, origin, misdeeds);
      try {
        await page.goto(`${origin}/${at}`);
        await look(page);
      } catch (error) {
        throw await withPage(error as Error, page, misdeeds);
      } finally {
        await context.close();
      }
      const bad = misdeeds.filter((misdeed) => forgives?.test(misdeed) !== true);
      if (bad.length > 0) throw new Error(`the page did what it must not:\n${bad.join('\n')}`);
    },
  };
}

function watch(page: Page, origin: string, misdeeds: string[]): void {
  const isOurs = (url: string) => url.startsWith(`${origin}/`) || /^(?:data|blob):/.test(url);
  page.on('request', (request) => {
    if (!isOurs(request.url())) misdeeds.push(`asks for ${request.url()}`);
  });
  page.on('websocket', (socket) => misdeeds.push(`opens ${socket.url()}`));
  page.on('console', (message) =>
    misdeeds.push(`says on the console: ${message.type()}: ${message.text()} (${message.location().url})`),
  );
  page.on('pageerror', (error) => misdeeds.push(`throws: ${error.stack ?? error.message}`));
  page.on('dialog', (dialog) => {
    misdeeds.push(`opens a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => misdeeds.push(`opens another page: ${popup.url()}`));
}

/** What failed, with what was on the page then: a picture that a log can hold. */
async function withPage(failure: Error, page: Page, misdeeds: readonly string[]): Promise<Error> {
  failure.message = [failure.message, ...misdeeds, `on the page, ${page.url()}:`, await outlineOf(page)].join('\n');
  return failure;
}

async function outlineOf(page: Page): Promise<string> {
  try {
    return await page.locator('body').ariaSnapshot({ timeout: 2_000 });
  } catch {
    return 'nothing any more';
  }
}
