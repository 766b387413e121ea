/**
 * Writes the pages that are made from the code: each configuration's JSON Schema, for editors, and its reference, for readers; each
 * machine's chart, and where its states and edges stand in the inspector; and
 * all that comes from the list of metrics: their page, alerts, runbooks, dashboards; the badges of the README; what gardenlet deploys, by the
 * rendering of Gardener's own code. `-- --pictures` also films
 * `simulate`, and takes the pictures of the inspector's views, where there is a browser. `-- --check` writes nothing, and fails where a page is stale or a picture is missing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writtenProberConfig } from '../src/domain/config/written-prober-config.ts';
import { writtenWeederConfig } from '../src/domain/config/read-weeder-config.ts';
import packageJson from '../src/package.json' with { type: 'json' };
import { helpOfHeader } from '@dwd/lab/options/help-of-header.ts';
import { chartReadme } from './chart/chart-readme.ts';
import { chartSchema } from './chart/chart-schema.ts';
import { configSchema } from './config-schema.ts';
import { badges } from './docs/badges.ts';
import { chartPages } from './docs/chart-pages.ts';
import { withGardenletPart } from './docs/gardenlet-part.ts';
import { configurationPage } from './docs/configuration-page.ts';
import { layOutCharts } from './docs/drawn-charts-json.ts';
import { pictureFaults, takePictures } from './docs/pictures.ts';
import { monitoringPages } from './monitoring/monitoring-pages.ts';

helpOfHeader('docs -- [--check] [--pictures]', import.meta.filename);

const pages: Readonly<Record<string, string>> = {
  'docs/schema/prober-config.schema.json': configSchema(writtenProberConfig),
  'docs/schema/weeder-config.schema.json': configSchema(writtenWeederConfig),
  'docs/configuration.md': await configurationPage(),
  'deploy/chart/dependency-watchdog/values.schema.json': chartSchema(),
  'deploy/chart/dependency-watchdog/README.md': chartReadme(),
  'docs/gardener.md': withGardenletPart(readFileSync(new URL('../docs/gardener.md', import.meta.url), 'utf8')),
  ...badges(packageJson, readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')),
  ...chartPages(await layOutCharts()),
  ...monitoringPages(),
};

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, pictures: { type: 'boolean', default: false } },
});
for (const [page, text] of Object.entries(pages)) {
  const place = new URL(`../${page}`, import.meta.url);
  if (!values.check) writeFileSync(place, text);
  else if (readFileSync(place, 'utf8') !== text) {
    process.stderr.write(`${page} is stale: npm run docs draws it again\n`);
    process.exitCode = 1;
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));
const say = (line: string): void => void process.stderr.write(`${line}\n`);
if (values.pictures && !(await takePictures(root, say))) process.exitCode = 1;
for (const fault of values.check ? pictureFaults(root) : []) {
  say(fault);
  process.exitCode = 1;
}
