import process from 'node:process';

/**
 * Runs the program that the first argument names, which sees only the arguments after it; `usual` where the first is a flag or missing.
 * Without `usual`, or where none has that name, the names are told, and the process ends with 2.
 */
export async function runOneOf(
  script: string,
  programs: Readonly<Record<string, () => Promise<unknown>>>,
  usual?: () => Promise<unknown>,
): Promise<void> {
  const name = process.argv[2];
  const isHelp = name === '--help' || name === '-h';
  const program =
    name === undefined || name.startsWith('-') ? usual : Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (program === undefined) {
    const optional = usual === undefined ? '' : '; without a name, the usual';
    (isHelp ? process.stdout : process.stderr).write(
      `Usage: npm run ${script} -- ${Object.keys(programs).join('|')} [FLAGS]${optional}\n`,
    );
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  if (program !== usual) process.argv.splice(2, 1);
  await program();
}
