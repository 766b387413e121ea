/** `npm run control-plane`: where the real control plane and the other programs of the tests are; what is missing is brought here. */
import process from 'node:process';
import { findControlPlane } from './control-plane/find-control-plane.ts';
import { playAsked, readOptions } from './options/read-options.ts';
import { findProgram, ProgramMissing } from './programs/find-program.ts';
import { isProgramName, wantedPrograms } from './programs/wanted-programs.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const known = Object.keys(wantedPrograms);

const usage = `Usage: npm run -s control-plane -- [PROGRAM… | all] [--install]

Prints where the programs of the tests are. Without a name: the directory of a real etcd, kube-apiserver and kube-controller-manager,
which are built with Go the first time.

  PROGRAM    one or more of ${known.join(', ')}
  --install  installs Debian's packages too, as root
`;

const args = process.argv.slice(2);
const names = args.filter((one) => !one.startsWith('-'));
const asked = readOptions(
  args.filter((one) => one.startsWith('-')),
  { install: { type: 'boolean', default: false } },
  ({ install }) => ({ install }),
);
await playAsked(asked, usage, async ({ install }) => {
  if (names.length === 0) await tellOf(() => findControlPlane(say));
  for (const name of names.includes('all') ? known : names) await tellOf(() => findOther(name, install));
});

async function tellOf(find: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await find()}\n`);
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}

async function findOther(name: string, mayInstall: boolean): Promise<string> {
  if (!isProgramName(name)) throw new ProgramMissing(`${name} is none of ${known.join(', ')}`);
  return await findProgram(name, { mayInstall, say });
}
