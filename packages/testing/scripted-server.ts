import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { issueCertificates, type ServingCertificates } from '@dwd/simulator/api/certificates.ts';

export type Received = Readonly<{
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** The TCP connection that the request came over, counted from 1. */
  connection: number;
}>;

type Answer = (request: Received, response: ServerResponse) => void;

let issued: Promise<ServingCertificates> | undefined;

/** An HTTPS server on loopback that answers as a test says, and keeps the requests. It does what no sane API server does. */
export class ScriptedServer {
  readonly received: Received[] = [];
  readonly ca: string;
  /** The number of connections that were accepted so far, and of those that are still open. */
  connections = 0;
  open = 0;
  /** Called for each new connection; TLS begins with `start`. */
  greet: (start: () => void) => void = (start) => start();
  readonly #sockets = new Set<Socket>();
  readonly #tcp;
  readonly #conditions = new Set<() => void>();

  constructor(certificates: ServingCertificates, answer: Answer) {
    this.ca = certificates.ca;
    const numbers = new WeakMap<object, number>();
    const https = createHttpsServer({ cert: certificates.certificate, key: certificates.key }, (request, response) => {
      void text(request)
        .catch(() => '')
        .then((body) => {
          const { method = '', url = '', headers, socket } = request;
          const received = { method, url, headers, body, connection: numbers.get(socket) ?? 0 };
          this.received.push(received);
          this.#tell();
          return answer(received, response);
        });
    });
    // A connection that nobody closes stays open: otherwise a leak would look closed after five seconds.
    https.keepAliveTimeout = 0;
    https.on('secureConnection', (socket) => numbers.set(socket, this.connections));
    this.#tcp = createTcpServer((socket) => {
      this.connections += 1;
      this.open += 1;
      this.#sockets.add(socket);
      this.#tell();
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.open -= 1;
        this.#sockets.delete(socket);
        this.#tell();
      });
      this.greet(() => https.emit('connection', socket));
    });
  }

  get url(): string {
    const address = this.#tcp.address();
    return `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#tcp.listen(0, '127.0.0.1', 1_024, resolve));
    return this;
  }

  /** Resolves once this many requests have arrived. */
  async hasReceived(count: number): Promise<void> {
    await this.#once(() => this.received.length >= count);
  }

  /** Resolves once this many connections have been accepted. */
  async hasAccepted(count: number): Promise<void> {
    await this.#once(() => this.connections >= count);
  }

  /** Resolves once no more than this many connections are open. */
  async hasOpen(count: number): Promise<void> {
    await this.#once(() => this.open <= count);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#tcp.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #once(condition: () => boolean): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        this.#conditions.delete(look);
        resolve();
      };
      this.#conditions.add(look);
    });
  }

  #tell(): void {
    for (const look of this.#conditions) look();
  }
}

/** Starts a server; `answerJson` is the shortest way to answer with JSON. */
export async function scriptedServer(answer: Answer): Promise<ScriptedServer> {
  issued ??= issueCertificates('scripted');
  return new ScriptedServer(await issued, answer).listen();
}

export function answerJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}
