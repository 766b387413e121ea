import { readFile } from 'node:fs/promises';
import { fileErrorWords } from '../words/errno-words.ts';

/** The text of a file. Rejects with an Error that says why it cannot be read; the place, if there is one, begins it. */
export async function readPlaced(place: string | undefined, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const why = fileErrorWords(error);
    throw new Error(place === undefined ? why : `${place}: ${why}`, { cause: error });
  }
}
