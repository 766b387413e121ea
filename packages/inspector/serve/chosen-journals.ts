import { basename, dirname, resolve } from 'node:path';
import { readJournalFileName } from 'dependency-watchdog/adapters/record/journal/kept-files.ts';
import type { StoredJournal } from '../journal/stored-journal.ts';
import { counted, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { FileScope } from './journal-pass.ts';

/** So much is read, as it lies there: four times what a role keeps. What it holds may be four million turns. */
const mostBytes = 2_048 * 1_048_576;

export type ChosenJournals = Readonly<{
  journals: readonly StoredJournal[];
  /** In sentences, for those who would look for it. */
  leftOut: readonly string[];
}>;

/** Of these, oldest first, the journals that may tell of the time that is asked for, and of them the newest that are not too many. */
export async function chosenJournals(
  all: readonly StoredJournal[],
  { since = -Infinity, until = Infinity, shoot }: FileScope,
  most: number = mostBytes,
): Promise<ChosenJournals> {
  const isBounded = since !== -Infinity || until !== Infinity;
  const touched = isBounded ? await touching(all, since, until) : all;
  let bytes = 0;
  const tooOld = touched.findLastIndex(({ size }) => (bytes += size) > most);
  // One that is larger than all may be is read all the same: it cannot be divided.
  const journals = touched.slice(Math.min(tooOld + 1, touched.length - 1));
  const given = [
    ...(since === -Infinity ? [] : [`before ${instantText(since)} (--since)`]),
    ...(until === Infinity ? [] : [`after ${instantText(until)} (--until)`]),
    ...(shoot === undefined ? [] : [`of others than ${shoot} (--shoot)`]),
  ];
  const older = touched.length - journals.length;
  const mebibytes = Math.round(most / 1_048_576);
  return {
    journals,
    leftOut: [
      ...(given.length === 0 ? [] : [`events ${given.join(', or ')} are left out`]),
      ...(older === 0
        ? []
        : [
            `${counted(older, 'older file')} left out: ${mebibytes} MiB are read, and --since and --until choose others`,
          ]),
    ],
  };
}

/** Without those that end before the time, since the next one of the same program begins no later, and those that begin after it. */
async function touching(
  all: readonly StoredJournal[],
  since: number,
  until: number,
): Promise<readonly StoredJournal[]> {
  const kept: StoredJournal[] = [];
  /** By role and folder, when the one begins that follows. */
  const following = new Map<string, number>();
  for (const journal of all.toReversed()) {
    const series = seriesOf(journal.name);
    const firstAt = await journal.firstAt();
    const nextAt = following.get(series) ?? Infinity;
    if (firstAt !== undefined) following.set(series, firstAt);
    if (nextAt > since && (firstAt ?? -Infinity) <= until) kept.unshift(journal);
  }
  return kept;
}

function seriesOf(path: string): string {
  const name = readJournalFileName(basename(path, '.gz'));
  return name === undefined ? path : `${dirname(resolve(path))} ${name.role}`;
}
