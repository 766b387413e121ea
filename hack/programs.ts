/**
 * `npm run -s programs -- NAME…` prints where the programs are that the tests of what ships need, one a line, and builds those that are
 * Go modules, once. With `--install` it installs Debian's packages too, where it is root: for CI. Without names, all of them.
 */
import { parseArgs } from 'node:util';
import { findProgram, ProgramMissing } from './programs/find-program.ts';
import { isProgramName, wantedPrograms } from './programs/wanted-programs.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { install: { type: 'boolean', default: false } },
});
const say = (line: string): void => void process.stderr.write(`${line}\n`);
for (const name of positionals.length === 0 ? Object.keys(wantedPrograms) : positionals) {
  try {
    if (!isProgramName(name)) throw new ProgramMissing(`${name} is none of ${Object.keys(wantedPrograms).join(', ')}`);
    process.stdout.write(`${await findProgram(name, { mayInstall: values.install, say })}\n`);
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
