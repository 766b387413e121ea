import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readJournalFileName } from 'dependency-watchdog/adapters/record/journal/kept-files.ts';
import {
  JournalUnusable,
  readJournal,
  type JournalSource,
} from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import type { Spool } from '../../journal/spool.ts';
import {
  fileBytes,
  orUnusable,
  storedFile,
  storedStream,
  type StoredJournal,
  unpacked,
} from '../../journal/stored-journal.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';

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
  const files = (await journalFilesOf(places)).map(({ path }) => ({ name: path, bytes: fileBytes(path) }));
  return [...files, ...standardInput(places, stdin)].map(unpacked);
}

/** The same, to be read more than once. */
export async function storedJournals(
  places: readonly string[],
  stdin: JournalSource['bytes'],
  spool: () => Spool,
): Promise<readonly StoredJournal[]> {
  const files = await journalFilesOf(places);
  return [
    ...files.map(({ path, size }) => storedFile(path, size, spool)),
    ...standardInput(places, stdin).map((source) => storedStream(source, spool)),
  ];
}

/** It is taken to be the newest. */
function standardInput(places: readonly string[], bytes: JournalSource['bytes']): readonly JournalSource[] {
  return places.includes('-') ? [{ name: 'standard input', bytes }] : [];
}

type JournalFile = Readonly<{ path: string; size: number }>;

async function journalFilesOf(places: readonly string[]): Promise<readonly JournalFile[]> {
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
  const files: JournalFile[] = [];
  const given = new Set(paths);
  // `gzip -k` leaves the file beside what it packed.
  const once = [...given].filter((path) => !(path.endsWith('.gz') && given.has(path.slice(0, -'.gz'.length))));
  for (const path of await inOrder(once)) files.push({ path, size: (await orUnusable(path, () => stat(path))).size });
  return files;
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

/** A file whose first line is no header is read where it stands among the others: first. */
async function openedAt(path: string): Promise<number> {
  for await (const entry of readJournal(unpacked({ name: path, bytes: fileBytes(path, 1_048_576) })))
    return entry.kind === 'header' ? entry.header.openedAt : 0;
  return 0;
}
