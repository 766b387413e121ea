import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = Readonly<{ id: string; nodes: readonly Readonly<{ html: string; failureSummary: string }>[] }>;

/** What axe finds on the page as it is now, a line each. */
export async function findingsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    `axe.run(document, { resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary.replaceAll('\n', ' ')}`),
  );
}
