/**
 * `npm run check -- gardenlet [--write] [--release RELEASE]`: asks Gardener's own code what gardenlet deploys, and says where that is not what is
 * committed in `packages/lab/gardener`, from which tests and pages are made; `--write` commits what it says to these files. A release takes minutes to
 * build, once. Ends with 1 where something differs, and with 75 where Gardener's code cannot be built here.
 */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { askForObjects } from './gardener/ask-gardener.ts';
import { releases, renderingFile, renderingOf, type Rendering } from './gardener/rendering.ts';
import { differencesOf } from './gardener/differences-of.ts';
import { helpOfHeader } from './options/help-of-header.ts';
import { oneOfOption } from './options/read-options.ts';
import { ProgramMissing } from './programs/find-program.ts';

helpOfHeader('check -- gardenlet [--write] [--release RELEASE]', import.meta.filename);
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false }, release: { type: 'string' } } });
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const asked = values.release === undefined ? releases : [oneOfOption('release', values.release, releases)];

for (const release of asked) {
  try {
    const printed = await askForObjects(release, { say });
    if (values.write) writeFileSync(renderingFile(release), textOf(printed));
    const committed = renderingOf(release);
    const same = isDeepStrictEqual(printed, committed);
    process.stdout.write(`gardenlet ${release}: ${same ? 'as committed' : 'not as committed'}\n`);
    if (same) continue;
    for (const { place, before, after } of differencesOf(committed, printed)) say(`  ${place}: ${before} → ${after}`);
    say('  npm run check -- gardenlet --write writes what it prints; read what has changed before you commit it');
    process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    say(`LEFT OUT: ${error.message}`);
    process.exitCode ??= 75;
  }
}

function textOf(rendering: Rendering): string {
  const about = `What gardenlet ${rendering.gardener} deploys, printed by Gardener's own code: npm run check -- gardenlet --write`;
  return `# ${about}\n${stringify(rendering, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
