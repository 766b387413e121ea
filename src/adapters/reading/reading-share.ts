import type { Millis } from '../../domain/time.ts';
import { tooLarge } from './probe-failed.ts';
import { leastPiece, lightBytes, sliceBytes } from './shoot-limits.ts';

export type ReadingShareOptions = Readonly<{
  /** Begins the sentence when a limit is passed: a host, or a list. */
  whose: string;
  mostBytes: number;
  mostWork: Millis;
  /** CPU time that this thread has used so far. Not the time of day: a busy machine must not make an honest shoot look hostile. */
  cpuTime: () => Millis;
  /** Resolves when the next slice of a long answer may be read. */
  turn: () => Promise<void>;
}>;

/** What reading one stranger's answers costs us: bytes, and work of the one thread that all shoots share (SPEC 4.7). */
export type ReadingShare = Readonly<{
  /** So many bytes have come in one piece. Throws ProbeFailed beyond the limit. */
  receive: (bytes: number) => void;
  /**
   * Has a piece of a body read by `take`. Throws what that throws, and ProbeFailed beyond a limit. Where it answers a
   * promise, nothing more may be read before that resolves: it is another's turn.
   */
  read: (piece: Buffer, take: (piece: Buffer) => void) => Promise<void> | undefined;
}>;

export function readingShare({ whose, mostBytes, mostWork, cpuTime, turn }: ReadingShareOptions): ReadingShare {
  let bytes = 0;
  let work: Millis = 0;
  // A short answer is read as it comes; to wait for a turn would cost most shoots more than it gives the others.
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
