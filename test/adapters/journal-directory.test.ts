import { execFileSync } from 'node:child_process';
import { constants, existsSync, mkdirSync, open, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/clock/wall-clock.ts';
import { journalDirectoryProblem } from '../../src/adapters/record/journal/journal-directory.ts';
import { temporaryFolder } from '@dwd/testing/temporary-folder.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

test('9.6 a directory that is missing is made, and nothing is left in it', async () => {
  const path = join(temporaryFolder(), 'journal');
  expect(await journalDirectoryProblem(path, systemClock)).toBeUndefined();
  expect(readdirSync(path)).toEqual([]);
  expect(await journalDirectoryProblem(path, systemClock)).toBeUndefined();
  expect(readdirSync(path)).toEqual([]);
});

test('9.6 what an earlier process of this number left behind is no problem', async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, `.dwd-probe-${process.pid}`), 'left');
  expect(await journalDirectoryProblem(dir, systemClock)).toBeUndefined();
  expect(readdirSync(dir)).toEqual([]);
});

test.each<readonly [string, (dir: string) => string, RegExp]>([
  [
    'with a file in its place',
    (dir) => (writeFileSync(join(dir, 'f'), ''), join(dir, 'f')),
    /: it is a file, not a directory\./,
  ],
  [
    'below a file',
    (dir) => (writeFileSync(join(dir, 'f'), ''), join(dir, 'f', 'x')),
    /\/f is a file, not a directory\./,
  ],
  ['whose parent is missing', (dir) => join(dir, 'a', 'b'), /: the directory \S+\/a does not exist; make it first\./],
  [
    'with a name that is too long',
    (dir) => join(dir, 'x'.repeat(300)),
    /: no directory can be made in \S+: the name is too long\./,
  ],
  [
    'that is a link to nothing',
    (dir) => (symlinkSync(join(dir, 'nothing'), join(dir, 'link')), join(dir, 'link')),
    /: it is a symbolic link that leads nowhere\./,
  ],
  [
    'in a place that takes none',
    () => (existsSync('/proc/self') ? '/proc/x' : '/dev/x'),
    /: no directory can be made in \/(proc|dev): .+\./,
  ],
])('9.6 1.3 a directory %s is refused with a sentence and what to do', async (_, make, problem) => {
  const path = make(temporaryFolder());
  const said = await journalDirectoryProblem(path, systemClock);
  expect(said).toMatch(problem);
  expect(said?.startsWith(`--journal-dir=${path}: `)).toBe(true);
  expect(said).toMatch(
    / Name a directory that this user can write; without the flag, the journal is kept in memory only\.$/,
  );
});

test('9.6 a directory in which no file can be made is refused', async () => {
  const dir = temporaryFolder();
  // Root writes everywhere, so a directory takes the place of the probe file.
  mkdirSync(join(dir, `.dwd-probe-${process.pid}`));
  expect(await journalDirectoryProblem(dir, systemClock)).toMatch(/: no file can be removed there: .+\. Name/);
});

test('9.6 a disk that does not answer is refused after 5 s', async () => {
  const dir = temporaryFolder();
  const pipe = join(dir, 'stall');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  // Who opens a pipe for reading waits for its writer: so does every thread that the check could run on.
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
  for (let one = 0; one < threads; one++) open(pipe, 'r', () => undefined);
  const clock = new VirtualClock();
  const checking = journalDirectoryProblem(dir, clock);
  await clock.advanceBy(5_000);
  expect(await checking).toMatch(/: it did not answer within 5\.0 s\. Name a directory/);
  openSync(pipe, constants.O_WRONLY);
});
