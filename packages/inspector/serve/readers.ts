import { eventStream, serverSentEvent, type EventStream } from './event-stream.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { FoundTurns } from './history.ts';

/** Counts of those who read the streams, for metrics. */
export type ReaderHooks = Readonly<{
  /** So many streams are open now. */
  onReaders(count: number): void;
  /** One more than may be open was asked for, or more than may be held, or one of Stately's inspector was cut. */
  onRefused(): void;
  /** So many events were left out for a reader that was too slow. */
  onMissed(events: number): void;
}>;

export type ReaderLimits = Readonly<{
  /** Streams that are open at once; a page has one or two. */
  mostStreams: number;
  /** What may wait for one of them, in bytes: some seconds of a seed with 1,000 shoots, all of which change. */
  mostWaiting: number;
  /** What answers with turns that are on their way may hold together, in characters. */
  mostHeld: number;
}>;

export const readerLimits: ReaderLimits = { mostStreams: 128, mostWaiting: 1_048_576, mostHeld: 128 * 1_048_576 };

export type Readers = Readonly<{
  /** A new stream; undefined where as many are open as may be. */
  open(part: Readonly<{ begin: (stream: EventStream) => Beginning; end: () => unknown }>): EventStream | undefined;
}>;

export type Beginning = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Those who read streams of events, with a bound on their number and on what waits for each. `pace` is real time, `now` the turns' time. */
export function readers(
  { now, pace, hooks }: Readonly<{ now: () => Instant; pace: Clock; hooks: ReaderHooks }>,
  { mostStreams, mostWaiting }: ReaderLimits = readerLimits,
): Readers {
  let count = 0;
  return {
    open({ begin, end }) {
      if (count >= mostStreams) {
        hooks.onRefused();
        return undefined;
      }
      return eventStream({
        begin(stream) {
          hooks.onReaders((count += 1));
          return begin(stream);
        },
        end() {
          hooks.onReaders((count -= 1));
          end();
        },
        mostWaiting,
        missed: (missed) => serverSentEvent('missed', JSON.stringify(missed)),
        onMissed: hooks.onMissed,
        now,
        pace,
      });
    },
  };
}

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
