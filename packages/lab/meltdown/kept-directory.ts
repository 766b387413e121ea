import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode, fileErrorWords } from 'dependency-watchdog/adapters/words/errno-words.ts';

/** The message is a sentence for the operator. */
export class KeptDirectoryUnusable extends Error {}

/** The directory that an option names; it is made where it is missing. Throws a sentence where it cannot be used. */
export function keptDirectory(option: string, dir: string): string {
  const path = resolve(dir);
  try {
    // Not recursive: that never returns from /proc/x.
    mkdirSync(path);
  } catch (error) {
    if (!existsSync(dirname(path)))
      throw new KeptDirectoryUnusable(
        `--${option} ${dir}: the directory ${dirname(path)} does not exist; make it first`,
      );
    if (errorCode(error) !== 'EEXIST')
      throw new KeptDirectoryUnusable(
        `--${option} ${dir}: no directory can be made in ${dirname(path)}: ${fileErrorWords(error)}`,
        { cause: error },
      );
  }
  if (!statSync(path).isDirectory())
    throw new KeptDirectoryUnusable(`--${option} ${dir}: it is a file, not a directory`);
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new KeptDirectoryUnusable(`--${option} ${dir}: no file can be written there: ${fileErrorWords(error)}`, {
      cause: error,
    });
  }
  return path;
}
