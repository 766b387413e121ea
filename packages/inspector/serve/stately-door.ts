import { isIP } from 'node:net';
import { refuseUpgrade, type Upgrade, type UpgradeRequest } from 'dependency-watchdog/adapters/http/upgrades.ts';
import { BadQuery } from './queries.ts';
import type { WebSocket } from 'ws';

/** Readers at once, of one process: each is another copy of what is told. */
const mostReaders = 8;
/** In bytes. A reader has nothing to say. */
const mostHeard = 1_024;

type Serve = (reader: StatelyReader) => Promise<void>;

/** `begin`: throws BadQuery where the query cannot be answered, else answers what is done with the reader that comes. */
export type StatelyDoorOptions = Readonly<{
  begin: (query: URLSearchParams) => Serve | Promise<Serve>;
  onLeave?: (reader: StatelyReader) => void;
  onCut?: (why: StatelyCut) => void;
  onFault: (error: unknown) => void;
}>;

/** Lets readers in who speak WebSocket: as many as there is room for, and none that a foreign page opened. */
export function statelyDoor({ begin, onLeave, onCut, onFault }: StatelyDoorOptions): Upgrade {
  let readers = 0;

  return async (asked) => {
    const { request, query, socket } = asked;
    if (!isTrusted(request)) return refuseUpgrade(socket, '403 Forbidden', 'a page from elsewhere may not read this');
    if (readers >= mostReaders) return await refuse(asked, 1013, `${mostReaders} readers are here already`);
    let isCounted = true;
    const leave = () => {
      if (isCounted) readers -= 1;
      isCounted = false;
    };
    readers += 1;
    socket.on('close', leave);
    const serve = await begun(begin, query);
    if (typeof serve === 'string') {
      leave();
      return await refuse(asked, 1008, serve);
    }
    await opened(asked, (webSocket) => {
      const reader = statelyReader(webSocket, (why) => onCut?.(why));
      webSocket.on('close', () => onLeave?.(reader));
      void (async () => {
        try {
          await serve(reader);
        } catch (error) {
          onFault(error);
          webSocket.terminate();
        }
      })();
    });
  };
}

/** Loaded for the first reader: a prober that nobody looks at needs nothing of it. */
async function opened({ request, socket, head }: UpgradeRequest, then: (webSocket: WebSocket) => void): Promise<void> {
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: mostHeard,
    autoPong: false,
  });
  server.handleUpgrade(request, socket, head, then);
}

/** A client shows why a connection was closed, and not what stands in an answer that refuses it: so it is opened, and closed. */
async function refuse(asked: UpgradeRequest, code: 1008 | 1013, sentence: string): Promise<void> {
  await opened(asked, (webSocket) => {
    webSocket.on('error', () => undefined);
    webSocket.close(code, reasonOf(sentence));
  });
}

/** RFC 6455 leaves so many bytes for it. */
const longestReason = 123;

function reasonOf(sentence: string): string {
  let reason = sentence;
  while (Buffer.byteLength(reason) > longestReason) reason = `${reason.slice(0, -2)}…`;
  return reason;
}

async function begun(begin: StatelyDoorOptions['begin'], query: URLSearchParams): Promise<Serve | string> {
  try {
    return await begin(query);
  } catch (error) {
    if (!(error instanceof BadQuery)) throw error;
    return error.message;
  }
}

/**
 * Browsers let any page open a WebSocket to this machine, and name the page in `Origin`. A program names none; beside it, our own page and
 * pages that this very machine serves may read.
 */
function isTrusted({ headers: { origin, host } }: UpgradeRequest['request']): boolean {
  if (origin === undefined) return true;
  const from = URL.parse(origin);
  if (from === null) return false;
  return from.host === host || isLoopback(from.hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}

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
function statelyReader(socket: WebSocket, onCut: (why: StatelyCut) => void): StatelyReader {
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
