/** `npm run supply -- licences`: the packages of which something is in what ships, with their licences. Ends with 1 where one may not ship. */
import { join } from 'node:path';
import process from 'node:process';
import { licenceFaults } from './supply/licence-faults.ts';
import { shippedPackages } from './supply/shipped.ts';
import { helpOfHeader } from '@dwd/lab/options/help-of-header.ts';

helpOfHeader('supply -- licences', import.meta.filename);
const packages = await shippedPackages(join(import.meta.dirname, '..'));
const width = Math.max(...packages.map(({ name, version }) => `${name} ${version}`.length));
for (const { name, version, license } of packages) {
  process.stdout.write(`${`${name} ${version}`.padEnd(width)}  ${license}\n`);
}
for (const fault of licenceFaults(packages)) {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
