import { isIP } from 'node:net';
import { refuseUpgrade, type Upgrade, type UpgradeRequest } from '../../adapters/http/upgrades.ts';
import { BadQuery } from './asked-span.ts';
import { statelyReader, type StatelyCut, type StatelyReader } from './stately-reader.ts';

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
    const { request, query, socket, head } = asked;
    if (!isTrusted(request)) return refuseUpgrade(socket, '403 Forbidden', 'a page from elsewhere may not read this');
    if (readers >= mostReaders)
      return refuseUpgrade(socket, '503 Service Unavailable', `${mostReaders} readers are here already`);
    readers += 1;
    socket.on('close', () => (readers -= 1));
    const serve = await begun(begin, query);
    if (typeof serve === 'string') return refuseUpgrade(socket, '400 Bad Request', serve);
    // Loaded for the first reader: a prober that nobody looks at needs nothing of it.
    const { WebSocketServer } = await import('ws');
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: mostHeard,
      autoPong: false,
    });
    server.handleUpgrade(request, socket, head, (webSocket) => {
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
