import { instantOfLine } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { JournalSource } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import { LineSplitter, readLines } from 'dependency-watchdog/adapters/reading/bounded-bytes.ts';
import { journalSources } from './journal-sources.ts';
import type { RecordSpan } from './moment-flag.ts';

const longestLine = 64 * 1_048_576;

/** From when to when files tell: by the first one with turns, and by the last one. Undefined where the standard input is among them. */
export async function recordSpan(places: readonly string[]): Promise<RecordSpan | undefined> {
  if (places.includes('-')) return undefined;
  const sources = await journalSources(places, { async *[Symbol.asyncIterator]() {} });
  const first = await firstFound(sources, firstInstant);
  const last = await firstFound(sources.toReversed(), lastInstant);
  return first === undefined || last === undefined ? undefined : { firstAt: first, lastAt: last };
}

async function firstFound<Value>(
  sources: readonly JournalSource[],
  look: (source: JournalSource) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  for (const source of sources) {
    const found = await look(source);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function firstInstant(source: JournalSource): Promise<number | undefined> {
  for await (const at of instants(source)) return at;
  return undefined;
}

async function lastInstant(source: JournalSource): Promise<number | undefined> {
  let last: number | undefined;
  for await (const at of instants(source)) last = at;
  return last;
}

async function* instants({ bytes }: JournalSource): AsyncGenerator<number> {
  for await (const line of readLines(bytes, new LineSplitter(longestLine, () => new Error('no journal')))) {
    const at = instantOfLine(line);
    if (!Number.isNaN(at)) yield at;
  }
}
