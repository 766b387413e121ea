import type { Millis } from '../../domain/time.ts';
import { tooLarge } from './probe-failed.ts';
import { leastPiece, lightBytes, sliceBytes } from './shoot-limits.ts';

export type ReadingShareOptions = Readonly<{
  /** Begins the message when a limit is passed: a host, or a list. */
  whose: string;
  mostBytes: number;
  mostWork: Millis;
  /** CPU time that this thread has used so far. The time of day would not do: a busy machine must not make an honest shoot look hostile. */
  cpuTime: () => Millis;
  /** Resolves when the next slice of a long answer may be read. */
  turn: () => Promise<void>;
}>;

/** What it costs us to read the answers of one stranger: bytes, and work of the one thread that all shoots share (SPEC 4.7). */
export type ReadingShare = Readonly<{
  /** Counts the bytes that came in one piece. Throws ProbeFailed beyond the limit. */
  receive: (bytes: number) => void;
  /**
   * Passes a piece of a body to `take`, and measures that. Throws as `take` does, and ProbeFailed beyond a limit. Where it returns a
   * promise, nothing more may be read before that resolves, since it is somebody else's turn.
   */
  read: (piece: Buffer, take: (piece: Buffer) => void) => Promise<void> | undefined;
}>;

export function readingShare({ whose, mostBytes, mostWork, cpuTime, turn }: ReadingShareOptions): ReadingShare {
  let bytes = 0;
  let work: Millis = 0;
  // A short answer is read as it comes. To wait for a turn would cost most shoots more than the others gain.
  let readInTurn = -lightBytes;

  const count = (more: number): void => {
    bytes += more;
    if (bytes > mostBytes) throw tooLarge(`${whose} sent more than ${mostBytes} bytes`);
  };

  return {
    receive: (length) => count(Math.max(length, leastPiece)),
    read: (piece, take) => {
      count(Math.max(0, leastPiece - piece.length));
      const before = cpuTime();
      take(piece);
      work += cpuTime() - before;
      if (work > mostWork) throw tooLarge(`${whose} sent what takes more than ${mostWork} ms to read`);
      readInTurn += Math.max(piece.length, leastPiece);
      if (readInTurn < sliceBytes) return undefined;
      readInTurn = 0;
      return turn();
    },
  };
}
