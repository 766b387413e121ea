/**
 * `npm run supply -- sbom`: writes the bill of materials of what ships, as CycloneDX, to `release/sbom.cdx.json`; `--into FILE` to another file.
 * It is npm's own, cut down to the packages of which something is in the bundle.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import packageJson from '../src/package.json' with { type: 'json' };
import { sbomFaults, sbomOf, type Sbom } from './supply/sbom.ts';
import { shippedPackages } from './supply/shipped.ts';
import { helpOfHeader } from '@dwd/lab/options/help-of-header.ts';

helpOfHeader('supply -- sbom', import.meta.filename);
const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { into: { type: 'string', default: join(root, 'release/sbom.cdx.json') } } });

const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--loglevel=error'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1_048_576,
});
const sbom = sbomOf(JSON.parse(text) as Sbom, packageJson, await shippedPackages(root));
const faults = sbomFaults(sbom);
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
} else {
  const file = resolve(values.into);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  process.stdout.write(`${file}: ${sbom.components.length} packages, CycloneDX ${sbom.specVersion}\n`);
}
