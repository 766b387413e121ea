// Writes the JSON Schema of the prober's configuration, for editors; `--check` fails instead when the file is stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { proberConfigSchema } from './prober-config-schema.ts';

const file = new URL('../docs/schema/prober-config.schema.json', import.meta.url).pathname;
const fresh = proberConfigSchema();

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== fresh) {
    process.stderr.write('docs/schema/prober-config.schema.json is stale: run `node hack/generate-schema.ts`\n');
    process.exitCode = 1;
  }
} else {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, fresh);
}
