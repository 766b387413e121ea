import { createServer, type IncomingMessage, type ServerResponse, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathOf, takeUpgrades, type Upgrade } from './upgrades.ts';

/** A body in pieces is sent at the reader's pace; one that ends when it likes is closed with its reader. */
export type Reply = Readonly<{
  status: number;
  contentType: string;
  body: string | Buffer | Iterable<Buffer> | AsyncIterable<Buffer>;
  headers?: Readonly<Record<string, string>>;
}>;

/** What is answered to GET and HEAD of a path; `query` is what follows its question mark. */
export type Route = (query: URLSearchParams, reader?: Reader) => Reply | Promise<Reply>;

/** Who asks. `isThere`: false once it has left, so that nothing more needs to be made for it. */
export type Reader = Readonly<{ takesGzip: boolean; isThere(): boolean }>;

/** Thrown by a route that stopped since its reader has left. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

export type HttpServer = Readonly<{
  /** The one that was given, or that the system chose for 0. */
  port: number;
  /** Takes no more requests and cuts those that are under way. */
  close(): Promise<void>;
}>;

export type HttpServerOptions = Readonly<{
  /** Without a host: on every address of the machine. */
  address: Readonly<{ host?: string; port: number }>;
  /** For the error where the address cannot be used: `--metrics-bind-addr`. */
  flag: string;
  /** What to do where it cannot be used; by default, to give another one, or none. */
  remedy?: string;
  routes: Readonly<Record<string, Route>>;
  /** For paths that name something: what is answered there, if anything is. */
  routeOf?: (path: string) => Route | undefined;
  /** For paths where something else than HTTP is spoken. */
  upgrades?: Readonly<Record<string, Upgrade>>;
  /** Refuses requests that were meant for another host; everything is served where it is absent. */
  isForUs?: (hostHeader: string) => boolean;
  /** At once; one more is cut at once. */
  mostConnections?: number;
  /** A route failed, by a bug of ours; the request is answered with 500. */
  onFault: (error: unknown) => void;
}>;

/** Enough for a scraper or two, an operator, and many connections that hang. */
const usualConnections = 64;
/** A scraper sends a tenth of it. */
const mostHeaderBytes = 8_192;
/** In ms: the headers, and the request, must have arrived by then; a silent connection is closed. */
const headersWithin = 5_000;
const requestWithin = 10_000;
const silenceWithin = 60_000;

/**
 * Serves a few fixed paths, for reading only. Anybody who reaches the address can ask, so nobody is trusted and
 * everything is bounded. Rejects with AddressUnusable where it cannot listen.
 */
export function serveHttp(options: HttpServerOptions): Promise<HttpServer> {
  const { address, flag, remedy, upgrades = {}, isForUs, onFault } = options;
  const asking = new WeakSet<Socket>();
  const server = createServer(
    {
      maxHeaderSize: mostHeaderBytes,
      headersTimeout: headersWithin,
      requestTimeout: requestWithin,
      // Elsewhere the wish is ignored, as HTTP has it: curl asks for HTTP/2 in this way.
      shouldUpgradeCallback: ({ url = '' }) => Object.hasOwn(upgrades, pathOf(url)),
    },
    (request, response) => {
      // Browsers, scrapers and curl wait for an answer before they ask on. Else one connection could ask for thousands of answers at once.
      if (asking.has(request.socket)) return void request.socket.destroy();
      asking.add(request.socket);
      response.once('finish', () => asking.delete(request.socket));
      void answer(options, request, response);
    },
  );
  server.maxConnections = options.mostConnections ?? usualConnections;
  server.setTimeout(silenceWithin);
  const cutUpgraded = takeUpgrades(server, { upgrades, isForUs, onFault });

  return new Promise((resolve, reject) => {
    const refused = (error: Error) => reject(new AddressUnusable(flag, address, error, remedy));
    server.once('error', refused);
    server.listen({ port: address.port, ...(address.host === undefined ? {} : { host: address.host }) }, () => {
      // From now on an error means that a connection could not be accepted, for lack of descriptors, say.
      server.off('error', refused).on('error', options.onFault);
      resolve({
        // It is an object, since the server listens on TCP.
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
            cutUpgraded();
          }),
      });
    });
  });
}

async function answer(
  { routes, routeOf, isForUs, onFault }: HttpServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const route = Object.hasOwn(routes, path) ? routes[path] : routeOf?.(path);
  try {
    if (isForUs?.(request.headers.host ?? '') === false)
      return await send(request, response, plain(421, 'not this host'));
    if (isForUs !== undefined && asksForForeignPage(request.headers))
      return await send(request, response, plain(403, 'a page from elsewhere may not read this'));
    if (route === undefined)
      return await send(request, response, plain(404, `not found; here are ${Object.keys(routes).join(' and ')}`));
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return await send(request, response, plain(405, 'only GET and HEAD'));
    }
    return await send(request, response, await route(new URLSearchParams(query), readerOf(request, response)));
  } catch (error) {
    if (readerHasGone(error)) return;
    onFault(error);
    if (response.headersSent || response.destroyed) response.destroy();
    else await send(request, response, plain(500, 'a fault of ours; see the log'));
  }
}

async function send(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
  response.writeHead(reply.status, {
    'content-type': reply.contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    ...reply.headers,
    ...(isWhole(reply.body) ? { 'content-length': Buffer.byteLength(reply.body) } : {}),
  });
  if (request.method === 'HEAD') response.end();
  else if (isWhole(reply.body)) response.end(reply.body);
  else await pipeline(Readable.from(reply.body, { objectMode: false, highWaterMark: 0 }), response);
}

function isWhole(body: Reply['body']): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

function readerOf({ headers }: IncomingMessage, response: ServerResponse): Reader {
  return {
    takesGzip: /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(headers['accept-encoding'] ?? ''),
    isThere: () => !response.destroyed,
  };
}

/** The reader left in the middle of a body: nobody wants the rest. */
function readerHasGone(error: unknown): boolean {
  if (error instanceof ReaderGone) return true;
  const codes = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE'];
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

function plain(status: number, text: string): Reply {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${text}\n` };
}

const words: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use by another process',
  EACCES: 'permission denied (ports below 1024 need a capability)',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
};

/** An address that was given on the command line and cannot be listened on; the message is one line for the operator. */
export class AddressUnusable extends Error {
  override readonly name = 'AddressUnusable';

  constructor(
    flag: string,
    { host = '', port }: Readonly<{ host?: string; port: number }>,
    cause: NodeJS.ErrnoException,
    remedy = 'give another address, or 0 to turn it off',
  ) {
    const text = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    super(`${flag}=${text}: ${words[cause.code ?? ''] ?? cause.message}; ${remedy}`, { cause });
  }
}

/**
 * Whether a page from elsewhere asks, in the browser of somebody who may. It cannot read the answer, but it could let it be made again and again, and
 * leave it standing. A browser says who asks; a program says nothing. A link that somebody follows is let through.
 */
function asksForForeignPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  return headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document';
}
