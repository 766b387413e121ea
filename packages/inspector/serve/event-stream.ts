import type { Subscription } from 'rxjs';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';

/** A proxy closes a connection on which nothing comes for a minute, and kubectl port-forward one that is forgotten. */
const heartbeatEvery: Millis = 15_000;

/** A line that is no event; it says that somebody is there. */
const heartbeat = Buffer.from(':\n\n');

/** One event as it goes over the wire. `json` has no line break, as `JSON.stringify` gives it. */
export function serverSentEvent(name: string, json: string): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${json}\n\n`);
}

/** How much was left out for a slow reader, and since when. */
type Missed = Readonly<{ since: Instant; events: number }>;

export type EventStreamOptions = Readonly<{
  /** The reader is there. What it gives comes first, at the reader's pace; events that are sent meanwhile wait. */
  begin: (stream: EventStream) => Iterable<Buffer> | AsyncIterable<Buffer>;
  /** The reader has left. */
  end: () => void;
  /** So many bytes may wait, or one event. Beyond it all that waits is dropped, and the reader is told so. */
  mostWaiting: number;
  /** The event that says what was left out. */
  missed: (missed: Missed) => Buffer;
  /** So many events more were left out. */
  onMissed: (events: number) => void;
  now: () => Instant;
  /** Of heartbeats: real time. */
  pace: Clock;
}>;

export type EventStream = Readonly<{
  /** False where the event is left out, since too much waits. */
  send(event: Buffer): boolean;
  /** What waits, and one event that is not even made, are left out, and the reader is told so. */
  leaveOut(): void;
  /** Ends only when its reader leaves: one that was ended would be asked for again. */
  body: AsyncIterable<Buffer>;
}>;

/** The body of an answer that goes on: one reader's events, with a bound on what waits for it. */
export function eventStream(options: EventStreamOptions): EventStream {
  const { mostWaiting, onMissed, now, pace } = options;
  let waiting: Buffer[] = [];
  let bytes = 0;
  let missed: Missed | undefined;
  let closed = false;
  /** The reader waits for the next event. */
  let wanted: ((event: Buffer | undefined) => void) | undefined;
  let timer: Subscription | undefined;

  function give(event: Buffer | undefined): void {
    timer?.unsubscribe();
    const give = wanted;
    wanted = undefined;
    give?.(event);
  }

  function leaveOut(): void {
    const events = waiting.length + 1;
    missed = { since: missed?.since ?? now(), events: (missed?.events ?? 0) + events };
    [waiting, bytes] = [[], 0];
    onMissed(events);
  }

  function next(): Promise<Buffer | undefined> {
    if (closed) return Promise.resolve(undefined);
    if (missed !== undefined) {
      const event = options.missed(missed);
      missed = undefined;
      return Promise.resolve(event);
    }
    if (waiting.length > 0) {
      const event = Buffer.concat(waiting);
      [waiting, bytes] = [[], 0];
      return Promise.resolve(event);
    }
    return new Promise((resolve) => {
      wanted = resolve;
      timer = pace.wakeAt(pace.now() + heartbeatEvery).subscribe(() => give(heartbeat));
    });
  }

  const stream: EventStream = {
    leaveOut() {
      if (closed) return;
      leaveOut();
      if (wanted !== undefined) void next().then(give);
    },
    send(event) {
      if (closed) return false;
      if (wanted !== undefined) give(event);
      else if (bytes > 0 && bytes + event.length > mostWaiting) {
        leaveOut();
        return false;
      } else {
        waiting.push(event);
        bytes += event.length;
      }
      return true;
    },
    body: {
      // Not a generator: `return` of one would wait for the event that its reader waits for.
      [Symbol.asyncIterator]() {
        const beginning = piecesOf(options.begin(stream));
        let begun = false;
        return {
          async next() {
            const first = begun ? undefined : await beginning.next();
            begun ||= first?.done === true;
            const value = first?.done === false ? first.value : await next();
            return value === undefined ? { done: true, value } : { done: false, value };
          },
          return() {
            if (!closed) options.end();
            closed = true;
            // Not awaited: it may still be looking for its first piece.
            void Promise.resolve(beginning.return(undefined)).catch(() => undefined);
            [waiting, bytes] = [[], 0];
            give(undefined);
            return Promise.resolve({ done: true, value: undefined });
          },
        };
      },
    },
  };
  return stream;
}

async function* piecesOf(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // The headers leave with the first piece, and a reader wants to know that it is heard.
  yield heartbeat;
  yield* pieces;
}
