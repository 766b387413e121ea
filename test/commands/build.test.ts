import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../src/package.json' with { type: 'json' };
import { buildWords, readBuild } from '../../src/commands/build.ts';

const [one, other] = ['a', 'b'].map((digit) => digit.repeat(40)) as [string, string];
const named = JSON.stringify({ name: packageJson.name }, null, 2);

/** The commit that is read where these files are. */
function commitOf(files: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'dwd-build-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return readBuild(env, join(root, 'checkout')).commit;
}

const checkouts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a branch': { 'checkout/.git/HEAD': 'ref: refs/heads/main\n', 'checkout/.git/refs/heads/main': `${one}\n` },
  'no branch': { 'checkout/.git/HEAD': `${one}\n` },
  'a packed branch': {
    'checkout/.git/HEAD': 'ref: refs/heads/main\n',
    'checkout/.git/packed-refs': `# pack-refs with: peeled\n${other} refs/heads/not-main\n${one} refs/heads/main\n`,
  },
  'a worktree': {
    'checkout/.git': 'gitdir: ../main/.git/worktrees/w\n',
    'main/.git/worktrees/w/HEAD': 'ref: refs/heads/w\n',
    'main/.git/worktrees/w/commondir': '../..\n',
    'main/.git/refs/heads/w': `${one}\n`,
    'main/.git/HEAD': `${other}\n`,
  },
};

test.for(Object.entries(checkouts))('1.1 the commit of a checkout with %s is read from its files', ([, files]) => {
  expect(commitOf({ 'checkout/src/package.json': named, ...files })).toBe(one);
});

test('1.1 the commit that an image says outranks a checkout, if it is one', () => {
  const files = { 'checkout/src/package.json': named, 'checkout/.git/HEAD': other };
  expect(commitOf(files, { DWD_COMMIT: one })).toBe(one);
  expect(commitOf(files, { DWD_COMMIT: 'main' })).toBe(other);
});

test('1.1 without either, and beside the .git of another program, the commit is unknown', () => {
  expect(commitOf({})).toBe('unknown');
  expect(commitOf({ 'checkout/src/package.json': named })).toBe('unknown');
  expect(commitOf({ 'checkout/.git/HEAD': one })).toBe('unknown');
  expect(commitOf({ 'checkout/src/package.json': named, 'checkout/.git/HEAD': 'ref: refs/heads/new\n' })).toBe(
    'unknown',
  );
});

test('1.1 the words name the program, its version, commit and Node', () => {
  expect(buildWords({ version: '1.2.3', commit: one, node: '26.0.0' })).toBe(
    `dependency-watchdog 1.2.3, commit ${one}, Node 26.0.0`,
  );
});
