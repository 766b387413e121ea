import type { StoredJournal } from '../journal/stored-journal.ts';
import type { Reading } from '../wire/wire.ts';

/** So much of the newest journals is read first, in bytes: it takes a second, and is some minutes to hours of a seed. */
const newestBytes = 8 * 1_048_576;

/** The newest journals that have so much together; of what comes from a pipe nobody knows. */
export function newestOf(journals: readonly StoredJournal[], most: number = newestBytes): readonly StoredJournal[] {
  let bytes = 0;
  const older = journals.findLastIndex(({ size }) => {
    const enough = bytes >= most;
    bytes += size;
    return enough;
  });
  return journals.slice(older + 1);
}

export type ReadingProgress = Readonly<{
  onBytes(journal: StoredJournal, bytes: number): void;
  /** What was done before is complete. */
  next(doing: Reading['doing']): void;
  percent(): number;
}>;

/** A turn that is replayed takes so much longer than one that is only read. */
const replayShare = 5;

/** How much is done of reading the newest journals, reading all, replaying the newest, and replaying all. */
export function readingProgress(newest: readonly StoredJournal[], all: readonly StoredJournal[]): ReadingProgress {
  const [some, whole] = [sizeOf(newest), sizeOf(all)];
  const isAll = newest.length === all.length;
  const steps = [isAll ? 0 : some, whole, isAll ? 0 : some * replayShare, whole * replayShare];
  const total = Math.max(1, sum(steps));
  let step = 0;
  let taken = new Map<StoredJournal, number>();

  return {
    onBytes(journal, bytes) {
      // What is packed has more bytes than it takes.
      taken.set(journal, Math.min(bytes, journal.size));
    },
    next() {
      step += 1;
      taken = new Map();
    },
    percent() {
      const now = sum([...taken.values()]) * (step < 2 ? 1 : replayShare);
      return Math.min(99, Math.floor(((sum(steps.slice(0, step)) + now) / total) * 100));
    },
  };
}

function sizeOf(journals: readonly StoredJournal[]): number {
  return sum(journals.map(({ size }) => size));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
