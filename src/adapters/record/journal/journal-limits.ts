import type { Instant } from '../../../domain/time.ts';

const mebibyte = 1_048_576;

/** Every bound of the journal (SPEC 9.6). What each one drops is counted by its name. */
export const journalLimits = {
  /** A longer turn is left out. It would take 20,000 nodes with their Machines, which only a hostile shoot has. */
  turnBytes: 4 * mebibyte,
  /** The journal in memory is cut into chapters of about this size, snapshots aside; a full one is compressed, which takes some 2 ms. */
  memoryChapterBytes: mebibyte,
  /** Compressed chapters together; the open one comes on top. An hour or so of 200 shoots. The oldest chapter goes first. */
  memoryBytes: 16 * mebibyte,
  /** A second bound on memory, for turns that compress so well that bytes alone would let millions of them in. */
  memoryTurns: 500_000,
  /**
   * What one machine may have kept of it at once, and a second in the long run. An outage of 5,000 nodes takes some 50 KB a
   * second, for as long as it lasts; one shoot alone fills the directory no sooner than in two hours.
   */
  shareBytes: 64 * mebibyte,
  shareBytesPerSecond: 65_536,
  /** The same in turns: a service with 2,000 pods that crash-loop takes some 6,000 at once. */
  shareTurns: 20_000,
  shareTurnsPerSecond: 4,
  /** A file that would grow beyond this is closed, and the next begun. */
  fileBytes: 32 * mebibyte,
  /** All files of the directory together, the one being written counted as full. The oldest goes first. */
  directoryBytes: 512 * mebibyte,
  /**
   * Files kept, the one being written included. Each start begins one, so a program that crashes every five minutes comes to this
   * after two weeks. It bounds what it costs to list them, and to read them.
   */
  files: 4_096,
  /** How much may wait for a slow disk. Beyond it turns are dropped: a slow disk must not fill the prober's memory. */
  backlogBytes: 16 * mebibyte,
  /** How long to leave the directory alone after a write failed. */
  retryPause: 60_000,
  /** How often to look whether the file is still there: a file that was deleted takes every write. */
  lookPause: 10_000,
};

export type JournalLimits = Readonly<typeof journalLimits>;

/**
 * Why turns are not in the journal. `turnBytes`, `memoryBytes`, `memoryTurns`, `directoryBytes`, `files`, `backlogBytes`: that limit.
 * `shootShare`, `memoryShare`: this machine took more than its share of the journal, or of the memory. `writeFailed`: the
 * disk was full or read-only, the directory could not be used, the file was deleted while it was written to, or the disk did not
 * answer when the process ended.
 */
export const dropReasons = [
  'turnBytes',
  'memoryBytes',
  'memoryTurns',
  'memoryShare',
  'shootShare',
  'directoryBytes',
  'files',
  'backlogBytes',
  'writeFailed',
] as const;

/** `turns` is 0 where the number is not known: for a file of an earlier run. */
export type Dropped = Readonly<{ reason: (typeof dropReasons)[number]; turns: number; bytes: number }>;

/** What is left to one machine. Changed with each turn, and never given away. */
type Left = { bytes: number; turns: number; at: Instant };

/**
 * How much of each machine may be kept (SPEC 4.7): so much at once, and so much a second in the long run. A shoot whose
 * owner makes it talk without end takes no other shoot's history.
 */
export function turnShares({
  shareBytes,
  shareTurns,
  shareBytesPerSecond,
  shareTurnsPerSecond,
}: Pick<JournalLimits, 'shareBytes' | 'shareTurns' | 'shareBytesPerSecond' | 'shareTurnsPerSecond'>) {
  const lefts = new Map<string, Left>();

  return {
    /** Whether a turn of about so many bytes is still within the machine's share. */
    allows(subject: string, bytes: number, at: Instant): boolean {
      const left = lefts.get(subject) ?? { bytes: shareBytes, turns: shareTurns, at };
      lefts.set(subject, left);
      // A clock that is set back changes nothing.
      const seconds = Math.max(0, at - left.at) / 1_000;
      left.bytes = Math.min(shareBytes, left.bytes + seconds * shareBytesPerSecond);
      left.turns = Math.min(shareTurns, left.turns + seconds * shareTurnsPerSecond);
      left.at = at;
      return left.turns >= 1 && left.bytes >= bytes;
    },
    /** It was kept, and took so many. */
    charge(subject: string, bytes: number): void {
      const left = lefts.get(subject);
      if (left === undefined) return;
      left.bytes -= bytes;
      left.turns -= 1;
    },
    /** The machine is no more. */
    forget: (subject: string) => void lefts.delete(subject),
  };
}
