import type { FileHandle } from 'node:fs/promises';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode, fileErrorWords } from 'dependency-watchdog/adapters/words/errno-words.ts';
import { JournalUnusable, type JournalSource } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';

/** Where the bytes of a journal lie in the spool's file. */
type Spooled = Readonly<{ file: FileHandle; begin: number; bytes(): AsyncIterable<Uint8Array> }>;

export type Spool = ReturnType<typeof openSpool>;

/** As much as is read of plain files: a journal directory of 512 MiB takes a quarter of it. */
const mostSpooled = 2_048 * 1_048_576;

/**
 * A file without a name in the system's folder for temporary files, for journals of which a line cannot be found again by its place: packed ones,
 * and what comes from a pipe. It goes with the process, however that ends.
 */
export function openSpool(most: number = mostSpooled) {
  let opened: Promise<FileHandle> | undefined;
  let end = 0;
  /** One journal after the other: each is one piece. */
  let before: Promise<unknown> = Promise.resolve();

  async function written({ name, bytes }: JournalSource): Promise<Spooled> {
    const file = await orNoRoom(name, () => (opened ??= namelessFile()));
    const begin = end;
    for await (const piece of bytes) {
      if (end + piece.length > most)
        throw new JournalUnusable(`${name} has no room: packed journals and pipes may have ${most} bytes in all`);
      await orNoRoom(name, async () => {
        for (let at = 0; at < piece.length;)
          at += (await file.write(piece, at, piece.length - at, end + at)).bytesWritten;
      });
      end += piece.length;
    }
    const length = end - begin;
    return { file, begin, bytes: () => bytesIn(file, begin, length) };
  }

  return {
    /** Writes all that comes. Rejects with JournalUnusable where there is no room. */
    take(source: JournalSource): Promise<Spooled> {
      const taking = before.then(() => written(source));
      before = taking.catch(() => undefined);
      return taking;
    },
    async close(): Promise<void> {
      // Whoever still writes to it fails: a pipe may never end.
      await (await opened)?.close();
    },
  };
}

async function* bytesIn(file: FileHandle, begin: number, length: number): AsyncGenerator<Uint8Array> {
  // Not a stream of the handle: that would end with the handle's close, whoever reads then.
  for (let at = 0; at < length;) {
    const most = Math.min(pieceBytes, length - at);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(most), 0, most, begin + at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const pieceBytes = 65_536;

async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'dwd-inspect-'));
  try {
    return await open(join(folder, 'journals'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A journal that cannot be kept is none that can be shown; TMPDIR names another folder. */
async function orNoRoom<Value>(name: string, write: () => Promise<Value>): Promise<Value> {
  try {
    return await write();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    const remedy = 'unpack it first, or name a folder with room in TMPDIR';
    throw new JournalUnusable(`${name} cannot be unpacked into ${tmpdir()}: ${fileErrorWords(error)}; ${remedy}`, {
      cause: error,
    });
  }
}
