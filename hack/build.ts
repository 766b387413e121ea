/**
 * Builds what ships: `npm run build` writes an npm package that needs no other package into `dist/` (docs/decisions/0012).
 *
 *     npm run build [-- --into FOLDER]
 *
 * The commit that it bakes in is that of the checkout, or `DWD_COMMIT` where there is none, as while an image is built.
 */
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readBuild } from '../src/commands/build.ts';
import { buildPackage } from './build/build-package.ts';
import { helpOfHeader } from '@dwd/lab/options/help-of-header.ts';

const root = join(import.meta.dirname, '..');
helpOfHeader('build -- [--into FOLDER]', import.meta.filename);
const { values } = parseArgs({ options: { into: { type: 'string', default: join(root, 'dist') } } });

const { version, commit } = readBuild(process.env);
const dir = resolve(values.into);
const { files, bytes, packages } = await buildPackage({ root, dir, version, commit });
process.stdout.write(
  `${version}, commit ${commit}: ${files} files, ${(bytes / 1_000_000).toFixed(1)} MB, with ${packages} packages bundled\n`,
);
