import { counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { History } from '../../serve/history.ts';
import { oneFilePage } from '../../serve/one-file-page.ts';
import { pageAssets } from '../../serve/page-assets.ts';
import { newFile } from '../new-file.ts';

/** Writes the page with all that it shows. Resolves to a sentence; rejects with JournalUnusable where it is too much, or cannot be written. */
export async function writeOneFile(path: string, history: History): Promise<string> {
  const text = await oneFilePage(history, await pageAssets()());
  const file = await newFile('--html', path);
  try {
    await file.write(text);
  } finally {
    await file.close();
  }
  return `${path}: ${counted(history.about().turns, 'event')}, ${(text.length / 1_048_576).toFixed(1)} MiB; a browser opens it`;
}
