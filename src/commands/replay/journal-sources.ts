import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, fileErrorWords } from '../../adapters/words/errno-words.ts';
import { JournalUnusable, readJournal, type JournalSource } from '../../adapters/journal/read-journal.ts';

const journalFile = /^dwd-.+\.jsonl$/;

/**
 * What to read, oldest first: files, the journal files of a directory, or `-` for the standard input. Files are put in
 * the order in which they were opened, whatever the order in which they were given. Rejects where one cannot be read.
 */
export async function journalSources(
  places: readonly string[],
  stdin: JournalSource['bytes'],
): Promise<readonly JournalSource[]> {
  const paths: string[] = [];
  for (const place of places) {
    if (place === '-') continue;
    const there = await orUnusable(place, () => stat(place));
    if (there.isDirectory()) {
      const names = (await orUnusable(place, () => readdir(place))).filter((name) => journalFile.test(name));
      if (names.length === 0) throw new JournalUnusable(`${place} holds no journal file (dwd-….jsonl)`);
      paths.push(...names.map((name) => join(place, name)));
    } else if (there.isFile()) paths.push(place);
    // It would be read twice, and one that nobody writes into is never opened.
    else throw new JournalUnusable(`${place} is no file; let its bytes come from the standard input: - < ${place}`);
  }
  const dated = await Promise.all([...new Set(paths)].map(async (path) => ({ path, openedAt: await openedAt(path) })));
  return [
    ...dated
      .toSorted((one, other) => one.openedAt - other.openedAt || (one.path < other.path ? -1 : 1))
      .map(({ path }) => ({ name: path, bytes: bytesOf(path) })),
    ...(places.includes('-') ? [{ name: 'standard input', bytes: stdin }] : []),
  ];
}

/** Opened only when it is its turn: a directory may hold more files than one may have open. */
async function* bytesOf(path: string, end?: number): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { end });
  } catch (error) {
    throw unusable(path, error);
  }
}

async function orUnusable<Value>(path: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    throw unusable(path, error);
  }
}

/** A file that is not there, or not ours to read. */
function unusable(path: string, error: unknown): unknown {
  if (errorCode(error) === undefined) return error;
  return new JournalUnusable(`${path} cannot be read: ${fileErrorWords(error)}`, { cause: error });
}

/** A file whose first line is no header is read where it stands among the others: first. */
async function openedAt(path: string): Promise<number> {
  for await (const entry of readJournal({ name: path, bytes: bytesOf(path, 1_048_576) }))
    return entry.kind === 'header' ? entry.header.openedAt : 0;
  return 0;
}
