import type { FoundTurns } from './history.ts';

export type HeldAnswers = Readonly<{
  /** Nothing more should be looked for before some reader has taken, or left, what is there for it. */
  isFull(): boolean;
  /** The same pieces; until the last one is taken, or the reader leaves, the turns that they are made of count. */
  holding(turns: FoundTurns['turns'], pieces: Iterable<Buffer>): Iterable<Buffer>;
}>;

/**
 * Counts what the answers on their way to slow readers hold, all together: about `most` characters, and what two searches find that were under
 * way when it became so much.
 */
export function heldAnswers(most: number): HeldAnswers {
  let held = 0;
  return {
    isFull: () => held >= most,
    *holding(turns, pieces) {
      const characters = turns.reduce((sum, { length }) => sum + length, 0);
      held += characters;
      try {
        yield* pieces;
      } finally {
        held -= characters;
      }
    },
  };
}
