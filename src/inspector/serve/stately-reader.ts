import type { WebSocket } from 'ws';

/** Why a reader was cut. */
export type StatelyCut = 'tooSlow' | 'tooMany' | 'spoke';

export type StatelyReader = Readonly<{
  /** False once it has gone, or was cut. */
  isThere(): boolean;
  /** Sends at once; a reader for whom too much waits is cut. */
  send(text: string): void;
  /** Resolves when the text has left, so that whoever waits for it goes at the reader's pace. */
  deliver(text: string): Promise<void>;
  /** Closes the connection, with the reason for the reader. */
  cut(why: StatelyCut): void;
}>;

/** In bytes, what may wait for one reader: some seconds of a busy seed. */
const mostWaiting = 4 * 1_048_576;

/** The close codes of RFC 6455, with what the reader is told. */
const reasons: Readonly<Record<StatelyCut, readonly [code: number, reason: string]>> = {
  tooSlow: [1013, 'too slow: more than 4 MiB waited for you'],
  tooMany: [1008, 'too many machines to tell at once: name some by ?shoot= and ?service='],
  spoke: [1003, 'nothing is taken here'],
};

/** One who reads messages of Stately's inspector, and says nothing. */
export function statelyReader(socket: WebSocket, onCut: (why: StatelyCut) => void): StatelyReader {
  let there = true;

  function cut(why: StatelyCut): void {
    if (!there) return;
    there = false;
    socket.close(...reasons[why]);
    onCut(why);
  }

  // What it says wrongly ends the connection, and is nobody's fault here; `close` follows.
  socket.on('error', () => undefined);
  socket.on('close', () => (there = false));
  socket.on('message', () => cut('spoke'));
  // Answered here: by itself `ws` answers any number of them to a reader that takes nothing.
  socket.on('ping', (asked) => {
    if (socket.bufferedAmount > mostWaiting) cut('tooSlow');
    else if (there) socket.pong(asked);
  });

  return {
    isThere: () => there,
    send(text) {
      if (!there) return;
      if (socket.bufferedAmount + Buffer.byteLength(text) > mostWaiting) return cut('tooSlow');
      socket.send(text);
    },
    deliver: (text) => (there ? new Promise((sent) => socket.send(text, () => sent())) : Promise.resolve()),
    cut,
  };
}
