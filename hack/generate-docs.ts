/**
 * Writes the pages that are drawn from the code: each configuration's JSON Schema, for editors, and its reference, for readers; each
 * machine's chart, and where its states and edges stand in the inspector; the figure that is drawn from what `bench/growth.ts` recorded; and all that comes from the list of metrics: their page, alerts, runbooks, dashboards.
 * `npm run docs -- --check` writes nothing, and fails where one is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writtenProberConfig } from '../src/domain/config/written-prober-config.ts';
import { writtenWeederConfig } from '../src/domain/config/written-weeder-config.ts';
import type { Growth } from './growth/growth.ts';
import { growthSvg } from './growth/growth-svg.ts';
import { chartSchema } from './chart-schema.ts';
import { configSchema } from './config-schema.ts';
import { chartPages } from './docs/chart-pages.ts';
import { configurationPage } from './docs/configuration-page.ts';
import { layOutCharts } from './docs/drawn-charts-json.ts';
import { monitoringPages } from './monitoring/monitoring-pages.ts';

const recorded = new URL('../docs/performance/growth.json', import.meta.url);
const growth = JSON.parse(readFileSync(recorded, 'utf8')) as Growth;

const pages: Readonly<Record<string, string>> = {
  'docs/schema/prober-config.schema.json': configSchema(writtenProberConfig),
  'docs/schema/weeder-config.schema.json': configSchema(writtenWeederConfig),
  'docs/configuration.md': await configurationPage(),
  'deploy/chart/dependency-watchdog/values.schema.json': chartSchema(),
  'docs/performance/growth.svg': growthSvg(growth),
  ...chartPages(await layOutCharts()),
  ...monitoringPages(),
};

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
for (const [page, text] of Object.entries(pages)) {
  const place = new URL(`../${page}`, import.meta.url);
  if (!values.check) writeFileSync(place, text);
  else if (readFileSync(place, 'utf8') !== text) {
    process.stderr.write(`${page} is stale: npm run docs draws it again\n`);
    process.exitCode = 1;
  }
}
