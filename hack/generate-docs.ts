// Writes the pages that are drawn from the code: the configuration's JSON Schema, for editors, and each machine's chart. Tests fail
// when one is stale.
import { writeFileSync } from 'node:fs';
import { proberConfigSchema } from './prober-config-schema.ts';
import { shootDiagramPage, weederDiagramPage } from './machine-diagram.ts';

const pages: Readonly<Record<string, string>> = {
  'docs/schema/prober-config.schema.json': proberConfigSchema(),
  'docs/shoot-machine.md': shootDiagramPage(),
  'docs/weeder-machine.md': weederDiagramPage(),
};

for (const [page, text] of Object.entries(pages)) writeFileSync(new URL(`../${page}`, import.meta.url), text);
