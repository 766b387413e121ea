import { tooLarge } from './probe-failed.ts';
import { leastPiece, lightBytes, sliceBytes } from './shoot-limits.ts';

export type ReadingShareOptions = Readonly<{
  /** Begins the message when a limit is passed: a host, or a list. */
  whose: string;
  mostBytes: number;
  /** Resolves when the next slice of a long answer may be read. */
  turn: () => Promise<void>;
}>;

/**
 * What the answers of one stranger may take: bytes, and turns of the one thread that all shoots share (SPEC 4.7). Time is no limit, not
 * even that of the CPU: on a slow or throttled core an honest shoot would look hostile.
 */
export type ReadingShare = Readonly<{
  /** Counts the bytes that came in one piece. Throws ProbeFailed beyond the limit. */
  receive: (bytes: number) => void;
  /**
   * Passes a piece of a body to `take`. Throws as `take` does, and ProbeFailed beyond a limit. Where it returns a
   * promise, nothing more may be read before that resolves, since it is somebody else's turn.
   */
  read: (piece: Buffer, take: (piece: Buffer) => void) => Promise<void> | undefined;
}>;

export function readingShare({ whose, mostBytes, turn }: ReadingShareOptions): ReadingShare {
  let bytes = 0;
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
      take(piece);
      readInTurn += Math.max(piece.length, leastPiece);
      if (readInTurn < sliceBytes) return undefined;
      readInTurn = 0;
      return turn();
    },
  };
}
