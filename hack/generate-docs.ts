// Writes the pages that are drawn from the code: each configuration's JSON Schema, for editors, and each machine's chart. Tests fail
// when one is stale.
import { writeFileSync } from 'node:fs';
import { writtenProberConfig } from '../src/domain/config/written-prober-config.ts';
import { writtenWeederConfig } from '../src/domain/config/written-weeder-config.ts';
import { configSchema } from './config-schema.ts';
import { shootDiagramPage, weederDiagramPage } from './machine-diagram.ts';

const pages: Readonly<Record<string, string>> = {
  'docs/schema/prober-config.schema.json': configSchema(writtenProberConfig),
  'docs/schema/weeder-config.schema.json': configSchema(writtenWeederConfig),
  'docs/shoot-machine.md': shootDiagramPage(),
  'docs/weeder-machine.md': weederDiagramPage(),
};

for (const [page, text] of Object.entries(pages)) writeFileSync(new URL(`../${page}`, import.meta.url), text);
