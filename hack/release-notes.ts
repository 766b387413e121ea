/**
 * `npm run supply -- release-notes v1.2.3`: prints what the changelog says of a release. Ends with 1, and every reason, where the checkout is not ready
 * for that tag: another version in package.json or in the chart, no section in the changelog, or one without a date, nobody
 * to report vulnerabilities to, or a base of the image that is named by a tag alone.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import packageJson from '../src/package.json' with { type: 'json' };
import { notesFor } from './release/notes.ts';
import { helpOfHeader } from '@dwd/lab/options/help-of-header.ts';

helpOfHeader('supply -- release-notes vX.Y.Z', import.meta.filename);
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const found = notesFor(process.argv[2] ?? 'nothing', {
  changelog: read('CHANGELOG.md'),
  packageVersion: packageJson.version,
  chart: read('deploy/chart/dependency-watchdog/Chart.yaml'),
  security: read('SECURITY.md'),
  dockerfile: read('Dockerfile'),
});
if (found.ok) process.stdout.write(`${found.notes}\n`);
else {
  process.stderr.write(`${found.reasons.join('\n')}\n`);
  process.exitCode = 1;
}
