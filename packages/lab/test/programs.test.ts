import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram, ProgramMissing } from '../programs/find-program.ts';
import { toolsHash } from '../programs/tools-module.ts';
import { wantedPrograms } from '../programs/wanted-programs.ts';

/** A PATH that has these programs, and nothing else. */
function pathWith(...names: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'dwd-path-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const name of names) {
    writeFileSync(join(directory, name), '');
    chmodSync(join(directory, name), 0o755);
  }
  return directory;
}

const found = async (PATH: string) =>
  (await findProgram('chromium-headless-shell', { env: { PATH } })).slice(PATH.length + 1);

test.each([
  ['Debian’s, before others', ['google-chrome', 'chromium-headless-shell'], 'chromium-headless-shell'],
  ['any Chromium', ['google-chrome', 'node'], 'google-chrome'],
])('a browser for the inspector’s page: %s', async (_, names, expected) => {
  expect(await found(pathWith(...names))).toBe(expected);
});

test('a program that is not there is named with its remedy', async () => {
  const missing = found(pathWith('node'));
  await expect(missing).rejects.toThrow(ProgramMissing);
  await expect(missing).rejects.toThrow(
    'chromium-headless-shell is not installed: apt-get install chromium-headless-shell',
  );
});

test('a program of ours is built again for other flags, and not for the same', () => {
  const { elector } = wantedPrograms;
  expect(toolsHash(elector)).toBe(toolsHash({ ...elector }));
  expect(toolsHash({ ...elector, linker: '-X a.version=2' })).not.toBe(toolsHash(elector));
});
