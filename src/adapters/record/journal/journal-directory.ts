import { mkdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { defer, firstValueFrom, map, race } from 'rxjs';
import type { Millis } from '../../../domain/time.ts';
import type { Clock } from '../../../effects/ports.ts';
import { errorCode, fileErrorWords } from '../../words/errno-words.ts';
import { seconds } from '../../words/plain-words.ts';

/** A disk takes milliseconds. One that takes longer is a file system whose server is away, which may take for ever. */
const patience: Millis = 5_000;

/** A full disk may have room again; the program then starts, and says so with its first turn. */
const passing: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

const remedy = 'Name a directory that this user can write; without the flag, the journal is kept in memory only.';

/**
 * Makes the directory of `--journal-dir` where it is missing, and writes and removes a file in it. Resolves to what is wrong
 * with it, in plain sentences, or to undefined (SPEC 9.6). Its parent must exist: a path that was mistyped would otherwise become
 * a journal that nobody finds. Node's own recursive mkdir is not used either: it never returns from `/proc/x`.
 */
export async function journalDirectoryProblem(dir: string, clock: Clock): Promise<string | undefined> {
  const tooLate = `${nameOf(dir)} it did not answer within ${seconds(patience)}. ${remedy}`;
  return await firstValueFrom(
    race(
      defer(() => findProblem(dir)),
      clock.wakeAt(clock.now() + patience).pipe(map(() => tooLate)),
    ),
  );
}

async function findProblem(dir: string): Promise<string | undefined> {
  const path = resolve(dir);
  const parent = dirname(path);
  const problem = (await madeProblem(path, parent)) ?? (await writingProblem(path));
  return problem === undefined ? undefined : `${nameOf(dir)} ${problem} ${remedy}`;
}

function nameOf(dir: string): string {
  return `--journal-dir=${dir}:`;
}

async function madeProblem(path: string, parent: string): Promise<string | undefined> {
  try {
    await mkdir(path);
    return undefined;
  } catch (error) {
    const there = await kindOf(path);
    if (there === 'directory') return undefined;
    if (there === 'file') return 'it is a file, not a directory.';
    if (errorCode(error) === 'EEXIST') return 'it is a symbolic link that leads nowhere.';
    const above = await kindOf(parent);
    if (above === 'nothing') return `the directory ${parent} does not exist; make it first.`;
    if (above === 'file') return `${parent} is a file, not a directory.`;
    return `no directory can be made in ${parent}: ${errorCode(error) === 'ENOENT' ? 'it is no ordinary directory' : fileErrorWords(error)}.`;
  }
}

async function writingProblem(path: string): Promise<string | undefined> {
  const probe = join(path, `.dwd-probe-${process.pid}`);
  try {
    await writeFile(probe, 'dependency-watchdog tries whether it can write here\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // One that an earlier process of this number left behind shows that files can be made.
    if (errorCode(error) === 'EEXIST') return await removed(probe);
    if (!passing.has(errorCode(error))) return `no file can be written there: ${fileErrorWords(error)}.`;
  }
  return await removed(probe);
}

async function removed(probe: string): Promise<string | undefined> {
  try {
    await unlink(probe);
    return undefined;
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : `no file can be removed there: ${fileErrorWords(error)}.`;
  }
}

/** `unknown`: the system does not say, since a directory above may not be entered. */
async function kindOf(path: string): Promise<'directory' | 'file' | 'nothing' | 'unknown'> {
  try {
    return (await stat(path)).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '') ? 'nothing' : 'unknown';
  }
}
