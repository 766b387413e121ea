/**
 * `npm run -s control-plane` prints the directory of a real etcd, kube-apiserver and kube-controller-manager, which it fetches
 * or builds where they are not there yet. With names it prints where these other programs of the tests are, one a line, and builds those that
 * are Go modules, once; `all` are all of them. With `--install` it installs Debian's packages too, where it is root: for CI.
 */
import { parseArgs } from 'node:util';
import { ControlPlaneMissing } from './control-plane/control-plane.ts';
import { findControlPlane } from './control-plane/find-control-plane.ts';
import { findProgram, ProgramMissing } from './programs/find-program.ts';
import { isProgramName, wantedPrograms } from './programs/wanted-programs.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { install: { type: 'boolean', default: false } },
});
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const known = Object.keys(wantedPrograms);

if (positionals.length === 0) await tellOf(findServers);
for (const name of positionals.includes('all') ? known : positionals) await tellOf(() => findOther(name));

async function tellOf(find: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await find()}\n`);
  } catch (error) {
    if (!(error instanceof ProgramMissing || error instanceof ControlPlaneMissing)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}

async function findServers(): Promise<string> {
  const { directory, from, hasControllerManager } = await findControlPlane(say);
  say(`from ${from}${hasControllerManager ? '' : ', without a kube-controller-manager'}`);
  return directory;
}

async function findOther(name: string): Promise<string> {
  if (!isProgramName(name)) throw new ProgramMissing(`${name} is none of ${known.join(', ')}`);
  return await findProgram(name, { mayInstall: values.install, say });
}
