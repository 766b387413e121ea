import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { checkCommand, players } from '../../../hack/commands/check-command.ts';
import { documentedCommands } from '../../../hack/commands/documented-commands.ts';
import { shellWords } from '../../../hack/commands/shell-words.ts';
import { compiled } from '@dwd/testing/program.ts';

const root = join(import.meta.dirname, '../../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const ours = Object.entries(scripts).filter(([, line]) => /^node \S+( \w+)?$/.test(line));
const helps = new Map<string, Promise<string>>();

/** What `npm run NAME -- --help` prints. */
async function helpOf(...names: readonly string[]): Promise<string> {
  const [script = '', ...inner] = names;
  const [file = '', ...usual] = (scripts[script] ?? '').split(' ').slice(1);
  const run = promisify(execFile)(process.execPath, [file, ...usual, ...inner, '--help'], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    timeout: 60_000,
  });
  return (await run).stdout;
}
function knownHelp(...names: readonly string[]): Promise<string> {
  const key = names.join(' ');
  const help = helps.get(key) ?? helpOf(...names);
  helps.set(key, help);
  return help;
}

test.each(ours.map(([name]) => name))(
  'npm run %s -- --help prints how it is called, and does nothing else',
  async (name) => {
    const help = await knownHelp(name);
    expect(help).toMatch(new RegExp(`npm run (?:-s )?${name}\\b|Usage: dependency-watchdog ${name}`));
  },
);

const documented = documentedCommands(root).filter(({ text }) => checkCommand(text).player === players.script);

/** The flags that a command gives to scripts of ours, and that their helps do not tell. */
async function untold(text: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const [npm, verb, ...words] of shellWords(text).programs) {
    const [script = '', ...rest] = words.filter((word) => word !== '-s');
    const [, file = ''] = /^node (\S+)/.exec(scripts[script] ?? '') ?? [];
    if (npm !== 'npm' || verb !== 'run' || file === '') continue;
    const given = rest.slice(rest.indexOf('--') + 1);
    const [inner = ''] = given;
    const isOneOf = /^[a-z]/.test(inner) && readFileSync(join(root, file), 'utf8').includes('runOneOf');
    const help = `--help ${await knownHelp(script)} ${isOneOf ? await knownHelp(script, inner) : ''}`;
    const flags = given.flatMap((word) => /^--[\w-]+/.exec(word)?.[0] ?? []);
    missing.push(...flags.filter((flag) => !help.includes(flag.replace(/^--no-/, '--'))));
  }
  return missing;
}

test.each(documented.map((one) => ({ ...one, name: `${one.page}:${one.line}: ${one.text}` })))(
  '$name gives a script what its help tells',
  async ({ text }) => {
    expect(await untold(text)).toEqual([]);
  },
);

test('a flag that no script has is seen', async () => {
  expect(await untold('npm ci && npm run soak -- --minuts 1')).toEqual(['--minuts']);
});
