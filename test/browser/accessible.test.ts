import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browsing } from './browsing.ts';
import { inspectedByAll } from './inspected.ts';
import { views } from './views.ts';

const { visit } = browsing();
const { origin } = inspectedByAll('mixed');

type Violation = Readonly<{ id: string; nodes: readonly Readonly<{ html: string; failureSummary: string }>[] }>;

/** What axe finds, a line each. */
async function findingsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    `axe.run(document, { resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary.replaceAll('\n', ' ')}`),
  );
}

describe.each(['light', 'dark'] as const)('9.7 axe finds nothing, %s', (scheme) => {
  test.each(views)('on $name', async ({ at, drawn }) => {
    await visit({ origin: origin(), at, scheme }, async (page) => {
      await drawn(page).first().waitFor();
      expect(await findingsOf(page)).toEqual([]);
    });
  });
});
