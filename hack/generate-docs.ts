// Writes the pages that are drawn from the code: the configuration's JSON Schema, for editors, and the machine's chart. Tests fail
// when one is stale.
import { writeFileSync } from 'node:fs';
import { proberConfigSchema } from './prober-config-schema.ts';
import { shootDiagramPage } from './shoot-diagram.ts';

const pages: Readonly<Record<string, string>> = {
  'docs/schema/prober-config.schema.json': proberConfigSchema(),
  'docs/shoot-machine.md': shootDiagramPage(),
};

for (const [page, text] of Object.entries(pages)) writeFileSync(new URL(`../${page}`, import.meta.url), text);
