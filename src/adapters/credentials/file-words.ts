import { readFile } from 'node:fs/promises';
import { errorWords } from '../words/plain-words.ts';

const words: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a directory, not a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
};

/** The text of a file. Rejects with an Error that says why it cannot be read; the place, if there is one, begins it. */
export async function readPlaced(place: string | undefined, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = words[code] ?? errorWords(error);
    throw new Error(place === undefined ? why : `${place}: ${why}`, { cause: error });
  }
}
