import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readJournalFileName } from '../../adapters/journal/journal-file-name.ts';
import { errorCode, fileErrorWords } from '../../adapters/words/errno-words.ts';
import { JournalUnusable, readJournal, type JournalSource } from '../../adapters/journal/read-journal.ts';
import { unpacked } from '../../adapters/journal/unpacked.ts';
import type { Instant } from '../../domain/time.ts';

const journalFile = /^dwd-.+\.jsonl(?:\.gz)?$/;

/**
 * What to read, oldest first: files, the journal files of a directory, or `-` for the standard input, whatever the order in which they
 * were given; packed with gzip or not. Files of one role in one directory come in the order in which they were begun; their clock only says where they stand among
 * others. Rejects where one cannot be read.
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
  return [
    ...(await inOrder([...new Set(paths)])).map((path) => ({ name: path, bytes: bytesOf(path) })),
    ...(places.includes('-') ? [{ name: 'standard input', bytes: stdin }] : []),
  ].map(unpacked);
}

type Begun = { readonly path: string; readonly number: number; at: Instant };

async function inOrder(paths: readonly string[]): Promise<readonly string[]> {
  const series = new Map<string, Begun[]>();
  // One after the other: a directory may hold more files than one may have open.
  for (const path of paths.toSorted()) {
    const name = readJournalFileName(basename(path, '.gz'));
    const key = name === undefined ? path : join(dirname(resolve(path)), name.role);
    const one = { path, number: name?.number ?? 0, at: name?.at ?? (await openedAt(path)) };
    series.set(key, [...(series.get(key) ?? []), one]);
  }
  const all = [...series.values()].flatMap((files) => {
    files.sort((one, other) => one.number - other.number);
    // A file was begun before all that follow it. One that seems later has met a clock that was ahead.
    let latest = Infinity;
    for (const one of files.toReversed()) latest = one.at = Math.min(one.at, latest);
    return files;
  });
  return all.toSorted((one, other) => one.at - other.at).map(({ path }) => path);
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
  for await (const entry of readJournal(unpacked({ name: path, bytes: bytesOf(path, 1_048_576) })))
    return entry.kind === 'header' ? entry.header.openedAt : 0;
  return 0;
}
