import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '@dwd/testing/temporary-folder.ts';
import { programUsage } from '../../src/commands/usage.ts';

const main = new URL('../../src/main.ts', import.meta.url).pathname;
const gardener = new URL('../../deploy/base/prober/dep-config.yaml', import.meta.url).pathname;

function run(...args: readonly string[]) {
  return runAs(main, ...args);
}

function runAs(file: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('1.1 the usage names every command and exit code, within the terminal', () => {
  const usage = programUsage();
  for (const word of [
    'prober',
    'weeder',
    'simulate',
    'replay',
    'validate',
    'status',
    'release',
    'help',
    '0',
    '1',
    '2',
  ]) {
    expect(usage).toMatch(new RegExp(`^  ${word} `, 'm'));
  }
  expect(usage.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test('1.1 as a plugin of kubectl it is called so in usage, hints and refusals', () => {
  const plugin = join(temporaryFolder(), 'kubectl-dwd');
  symlinkSync(main, plugin);
  const all = [[], ['help', 'status'], ['staus'], ['status', '--wide'], ['status', '--kubeconfig=/nowhere']];
  for (const args of all) {
    const { stdout, stderr } = runAs(plugin, ...args);
    expect(stdout + stderr).toMatch(/kubectl dwd/);
    expect(stdout + stderr).not.toMatch(/dependency-watchdog (?:COMMAND|help|status|prober)/);
  }
});

test.for([[], ['-h'], ['--help'], ['help'], ['help', 'help']])('1.1 %j prints the usage with code 0', (args) => {
  expect(run(...args)).toEqual({ status: 0, stdout: `${programUsage()}\n`, stderr: '' });
});

test('1.1, 2.2 the help of the prober tells of leases and of two paths', () => {
  const plain = run('help', 'prober').stdout.replaceAll(/\s+/g, ' ');
  expect(plain).toContain(
    'when most leases of its nodes are expired, or, with two kubeconfigs, when it answers inside the seed',
  );
});

test.for([
  ['help', 'validate'],
  ['validate', '-h'],
  ['--help', 'validate'],
])("1.1 %j prints the command's usage with code 0", (args) => {
  const { status, stdout, stderr } = run(...args);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage: dependency-watchdog validate /);
});

const unknown: readonly (readonly [args: readonly string[], line: string])[] = [
  [['probr'], 'unknown command "probr"; did you mean prober?'],
  [['Validate'], 'unknown command "Validate"; did you mean validate?'],
  [['hlep'], 'unknown command "hlep"; did you mean help?'],
  [['help', 'wedeer'], 'unknown command "wedeer"; did you mean weeder?'],
  [['constructor'], 'unknown command "constructor"\n'],
  [[''], 'unknown command ""\n'],
  [['--config-file=x'], 'the command comes before the flags, as in: dependency-watchdog prober --config-file=x'],
];

test.for(unknown)('1.1 %j ends with code 2, and names what is near', ([args, line]) => {
  const { status, stdout, stderr } = run(...args);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`dependency-watchdog: ${line}`);
});

test.for([['version'], ['--version'], ['-version'], ['help', 'version'], ['weeder', '--version']])(
  '1.1 %j prints version, commit and Node',
  (args) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^dependency-watchdog \d+\.\d+\.\d+, commit (?:[0-9a-f]{40}|unknown), Node \d+\.\d+\.\d+\n$/,
    );
  },
);

test('1.1, 1.2, 1.3 a command gets its arguments, and its code is the program’s', () => {
  expect(run('validate', '-config-file', gardener)).toMatchObject({ status: 0, stderr: '' });
  expect(run('validate', '--config-file', main)).toMatchObject({ status: 1, stdout: '' });
  expect(run('validate', '--config-fil', main)).toMatchObject({ status: 2, stdout: '' });
});
