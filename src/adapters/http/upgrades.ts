import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request that leaves HTTP behind, for WebSocket say; `head` is what came after it already. */
export type UpgradeRequest = Readonly<{
  request: IncomingMessage;
  query: URLSearchParams;
  socket: Duplex;
  head: Buffer;
}>;

/** Takes a connection over, or refuses it (`refuseUpgrade`). */
export type Upgrade = (asked: UpgradeRequest) => void | Promise<void>;

type UpgradeOptions = Readonly<{
  upgrades: Readonly<Record<string, Upgrade>>;
  isForUs?: ((hostHeader: string) => boolean) | undefined;
  onFault: (error: unknown) => void;
}>;

/** Leads requests to upgrade to whom they are for. What it answers cuts all connections that were taken over: HTTP knows them no more. */
export function takeUpgrades(server: Server, { upgrades, isForUs, onFault }: UpgradeOptions): () => void {
  const sockets = new Set<Duplex>();

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A reader that breaks off is no fault, and without a listener its error would end the process.
    socket.on('error', () => socket.destroy());
    const upgrade = upgrades[pathOf(request.url)];
    const [, query = ''] = (request.url ?? '').split('?', 2);
    if (isForUs?.(request.headers.host ?? '') === false)
      return refuseUpgrade(socket, '421 Misdirected Request', 'not this host');
    if (upgrade === undefined) return refuseUpgrade(socket, '404 Not Found', 'not found');
    return void (async () => {
      try {
        await upgrade({ request, query: new URLSearchParams(query), socket, head });
      } catch (error) {
        onFault(error);
        socket.destroy();
      }
    })();
  });

  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** The path of a request's target, without what follows its question mark. */
export function pathOf(target = ''): string {
  return target.split('?', 1)[0] ?? '';
}

/** Answers a request to upgrade with a refusal, `status` as in `403 Forbidden`, and one sentence. */
export function refuseUpgrade(socket: Duplex, status: string, sentence: string): void {
  const body = `${sentence}\n`;
  // Whoever keeps its side open would keep its place, too.
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'connection: close',
      'content-type: text/plain; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
