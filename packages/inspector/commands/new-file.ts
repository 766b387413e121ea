import { open } from 'node:fs/promises';
import { JournalUnusable } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import { errorCode, fileErrorWords } from 'dependency-watchdog/adapters/words/errno-words.ts';

export type NewFile = Readonly<{ write(text: string): Promise<void>; close(): Promise<void> }>;

/** A new file, which only its user may read, as all journals. Rejects with JournalUnusable where it is there already, or cannot be written. */
export async function newFile(flag: string, path: string): Promise<NewFile> {
  const orUnusable = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      const why = errorCode(error) === 'EEXIST' ? 'it is there already; name a new one' : fileErrorWords(error);
      throw new JournalUnusable(`${flag}=${path} cannot be written: ${why}`, { cause: error });
    }
  };
  const file = await orUnusable(() => open(path, 'wx', 0o600));
  return {
    write: async (text) => void (await orUnusable(() => file.write(text))),
    close: () => file.close(),
  };
}
