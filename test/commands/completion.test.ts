import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { completedCommands, shells } from '../../src/commands/completion/completed-commands.ts';
import { runCompletion } from '../../src/commands/completion.ts';
import { programUsage } from '../../src/commands/usage.ts';

async function scriptOf(shell: string): Promise<string> {
  const lines: string[] = [];
  await runCompletion([shell], { out: (line) => void lines.push(line), err: (line) => void lines.push(line), env: {} });
  return lines.join('\n');
}

/** What bash would offer for the last of these words. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const ask = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dependency_watchdog; echo "${COMPREPLY[*]}"';
  const script = `${await scriptOf('bash')}\n${ask}`;
  const out = execFileSync('bash', ['-c', script, 'bash', 'dependency-watchdog', ...words], { encoding: 'utf8' });
  return out.trim().split(/\s+/);
}

test.each([
  [['sta'], ['status']],
  [['status', '-o', 'w'], ['wide']],
  // As bash divides `--output=j`.
  [['status', '--output', '=', 'j'], ['json']],
  [
    ['status', '--output', '='],
    ['table', 'wide', 'name', 'json', 'yaml'],
  ],
  [['status', '--cont'], ['--context']],
  [['prober', '--zap-encoder', 'c'], ['console']],
  [['completion', ''], [...shells]],
  [['help', 'we'], ['weeder']],
  // Files are left to bash.
  [['replay', '--explain', ''], ['']],
  [['release', '--config-file', ''], ['']],
])('1.1 bash completes %j with %j', async (words, expected) => {
  expect(await offered(...words)).toEqual(expected);
});

test('1.1 every command of the usage is completed', () => {
  const usage = programUsage();
  for (const { name } of completedCommands()) expect(usage).toMatch(new RegExp(`^  ${name} `, 'm'));
  expect(completedCommands()).toHaveLength([...usage.matchAll(/^ {2}[a-z]+ {2,}/gm)].length);
});

// Not every machine has them.
const has = (shell: string) => spawnSync(shell, ['--version']).error === undefined;

const fish = 'fish';
test.skipIf(!has(fish))('1.1 fish completes values and files', async () => {
  const script = await scriptOf('fish');
  const ask = (line: string) =>
    execFileSync(fish, ['--no-config', '-c', `${script}\ncomplete -C '${line}'`], {
      encoding: 'utf8',
      cwd: import.meta.dirname,
    });
  expect(ask('dependency-watchdog status --output w')).toBe('wide\tthe form of the output\n');
  expect(ask('dependency-watchdog completion z')).toBe('zsh\n');
  expect(ask('dependency-watchdog replay completion.t')).toBe('completion.test.ts\n');
});

test.skipIf(!has('zsh'))('1.1 zsh reads its script', async () => {
  const script = `autoload -U compinit; compinit -u -D\n${await scriptOf('zsh')}\nprint $_comps[dependency-watchdog]`;
  const out = execFileSync('zsh', ['-f', '-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  expect(out).toBe('_dependency_watchdog\n');
});

test('1.1 another shell is refused', async () => {
  expect(await scriptOf('tcsh')).toMatch(
    /^dependency-watchdog completion: it knows the shells bash, zsh, fish; found "tcsh"\n/,
  );
});
