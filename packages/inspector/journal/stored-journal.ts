import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { errorCode, fileErrorWords } from 'dependency-watchdog/adapters/words/errno-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import {
  JournalUnusable,
  readJournal,
  type JournalSource,
  type LinePlace,
} from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import type { Spool } from './spool.ts';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';

/** A journal that can be read as often as one likes, as a whole or line by line. */
export type StoredJournal = Readonly<{
  name: string;
  /** In bytes, as it lies there; 0 for what comes from a pipe. */
  size: number;
  /** When its first turn was, read off its beginning; undefined where nobody knows before all is read. */
  firstAt(): Promise<Instant | undefined>;
  /** Unpacked. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Lines without their line breaks. Rejects with JournalUnusable where the file is no longer what it was. */
  linesAt(places: readonly LinePlace[]): Promise<readonly string[]>;
}>;

/** A journal's file. What is packed is unpacked into the spool when it is first asked for. */
export function storedFile(path: string, size: number, spool: () => Spool): StoredJournal {
  const source = { name: path, bytes: fileBytes(path) };
  let held: Promise<StoredJournal | undefined> | undefined;
  const inSpool = (): Promise<StoredJournal | undefined> =>
    (held ??= isPacked(path).then((packed) => (packed ? storedStream(source, spool) : undefined)));

  return {
    name: path,
    size,
    firstAt: () => firstInstant(path),
    async *bytes() {
      yield* (await inSpool())?.bytes() ?? source.bytes;
    },
    async linesAt(places) {
      const spooled = await inSpool();
      if (spooled !== undefined) return await spooled.linesAt(places);
      const file = await orUnusable(path, () => open(path));
      try {
        return await orUnusable(path, () => linesIn(file, path, places, 0));
      } finally {
        await file.close();
      }
    },
  };
}

/** What comes but once: it is unpacked into the spool as soon as anything of it is asked for. */
export function storedStream(source: JournalSource, spool: () => Spool): StoredJournal {
  const { name } = source;
  let held: ReturnType<Spool['take']> | undefined;
  const taken = () => (held ??= spool().take(unpacked(source)));
  return {
    name,
    size: 0,
    firstAt: () => Promise.resolve(undefined),
    async *bytes() {
      yield* (await taken()).bytes();
    },
    async linesAt(places) {
      const { file, begin } = await taken();
      return await linesIn(file, name, places, begin);
    },
  };
}

/** Of a file, from its beginning each time that it is read; opened only then: a directory may hold more files than one may have open. */
export function fileBytes(path: string, end?: number): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* createReadStream(path, { end });
      } catch (error) {
        throw unusable(path, error);
      }
    },
  };
}

export async function orUnusable<Value>(path: string, read: () => Promise<Value>): Promise<Value> {
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

async function isPacked(path: string): Promise<boolean> {
  for await (const bytes of fileBytes(path, 1)) return Buffer.from(bytes).toString('hex') === '1f8b';
  return false;
}

/** The first turn stands right after the header. */
const headBytes = 1_048_576;

async function firstInstant(path: string): Promise<Instant | undefined> {
  try {
    for await (const entry of readJournal(unpacked({ name: path, bytes: fileBytes(path, headBytes) })))
      if (entry.kind === 'turn') return entry.turn.at;
  } catch (error) {
    // What is packed ends too soon here. Whoever reads all of it meets what is wrong with it.
    if (!(error instanceof JournalUnusable)) throw error;
  }
  return undefined;
}

/** So many reads wait for the disk at a time. */
const readAtOnce = 32;

async function linesIn(
  file: FileHandle,
  name: string,
  places: readonly LinePlace[],
  base: number,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (let index = 0; index < places.length; index += readAtOnce)
    lines.push(
      ...(await Promise.all(
        places.slice(index, index + readAtOnce).map(async ({ begin, bytes }) => {
          const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, base + begin);
          const text = buffer.toString('utf8', 0, bytesRead).trimEnd();
          if (bytesRead < bytes || !text.startsWith('{'))
            throw new JournalUnusable(`${name} is no longer the file that was read here; start the command again`);
          return text;
        }),
      )),
    );
  return lines;
}

/** The bytes of a journal: those of the source, or, where gzip has packed them, what was packed; its first bytes tell, whatever its name is. */
export function unpacked({ name, bytes }: JournalSource): JournalSource {
  return { name, bytes: { [Symbol.asyncIterator]: () => unpackedBytes(name, bytes) } };
}

async function* unpackedBytes(name: string, bytes: JournalSource['bytes']): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const piece = await pieces.next();
    if (piece.done === true) break;
    head = Buffer.concat([head, piece.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  if (head.toString('hex', 0, 2) !== '1f8b') {
    if (head.length > 0) yield* all();
    return;
  }
  try {
    const gunzip = createGunzip();
    // Whoever reads what it gives meets its error, too.
    pipeline(all(), gunzip, () => undefined);
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (!errorCode(error)?.startsWith('Z_')) throw error;
    throw new JournalUnusable(`${name} cannot be unpacked to its end: ${errorWords(error)}`, { cause: error });
  }
}
