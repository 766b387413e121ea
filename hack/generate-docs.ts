// Writes the pages that are drawn from the code: the configuration's JSON Schema, for editors, and the machine's chart. `--check` fails
// instead when one is stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { proberConfigSchema } from './prober-config-schema.ts';
import { shootDiagramPage } from './shoot-diagram.ts';

const pages: Readonly<Record<string, string>> = {
  'docs/schema/prober-config.schema.json': proberConfigSchema(),
  'docs/shoot-machine.md': shootDiagramPage(),
};

for (const [page, fresh] of Object.entries(pages)) {
  const file = new URL(`../${page}`, import.meta.url).pathname;
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, fresh);
  } else if (readFileSync(file, 'utf8') !== fresh) {
    process.stderr.write(`${page} is stale: run \`npm run docs\`\n`);
    process.exitCode = 1;
  }
}
