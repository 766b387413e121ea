import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from 'dependency-watchdog/adapters/words/errno-words.ts';
import { errorWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { JournalUnusable, type JournalSource } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';

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
