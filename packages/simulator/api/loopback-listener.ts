import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import type { ServingCertificates } from './certificates.ts';
import { keepPort, listenOnLoopback } from './listen-on-loopback.ts';
import { renewTickets } from './renewed-tickets.ts';

/**
 * HTTP/1.1 over TLS on 127.0.0.1, behind a TCP listener of its own: so that it can refuse connections and take its
 * port up again, or accept them and never shake hands.
 */
export class LoopbackListener {
  /** Accepts connections and says nothing, not even of TLS. */
  silent = false;
  readonly #https: HttpsServer;
  readonly #sockets = new Set<Socket>();
  readonly #numbers = new WeakMap<object, number>();
  #tcp: TcpServer | undefined;
  #port = 0;
  #connectionCount = 0;
  #bytesOfEnded = 0;

  constructor(certificates: ServingCertificates, answer: (request: IncomingMessage, response: ServerResponse) => void) {
    const { ca, certificate, key } = certificates;
    this.#https = createHttpsServer(
      { cert: certificate, key, ca, requestCert: true, rejectUnauthorized: false },
      answer,
    );
    renewTickets(this.#https);
    // Node's own deadlines go by the machine's clock; here time may run at another speed.
    this.#https.requestTimeout = 0;
    this.#https.headersTimeout = 0;
    this.#https.keepAliveTimeout = 0;
    this.#https.on('secureConnection', (socket) => {
      this.#connectionCount += 1;
      this.#numbers.set(socket, this.#connectionCount);
    });
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** TLS handshakes that were completed. */
  get connectionCount(): number {
    return this.#connectionCount;
  }

  /** Bytes that went over all connections so far, both ways, with what TLS adds. */
  get byteCount(): number {
    return [...this.#sockets].reduce((sum, socket) => sum + bytesOf(socket), this.#bytesOfEnded);
  }

  /** The number of the request's connection, from 1. */
  connectionOf(request: IncomingMessage): number {
    return this.#numbers.get(request.socket) ?? 0;
  }

  /** New connections show these. As after a restart, earlier tickets are void. */
  show({ certificate, key }: ServingCertificates): void {
    this.#https.setSecureContext({ cert: certificate, key });
    renewTickets(this.#https);
  }

  /** Listens: on a free port the first time, then on the same one. */
  async up(): Promise<void> {
    if (this.#tcp !== undefined) return;
    // Go does the same: otherwise an event that follows the head of a watch waits 40 ms for a late acknowledgement.
    const tcp = createTcpServer({ noDelay: true }, (socket) => this.#accept(socket));
    this.#tcp = tcp;
    this.#port = await listenOnLoopback(tcp, this.#port);
  }

  /** Refuses new connections, and cuts the open ones. */
  async down(): Promise<void> {
    const tcp = this.#tcp;
    if (tcp === undefined) return;
    this.#tcp = undefined;
    // Who begins again has other keys for its tickets.
    renewTickets(this.#https);
    const closed = new Promise<void>((resolve) => {
      tcp.close(() => resolve());
    });
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([closed, keepPort(this.#port)]);
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#bytesOfEnded += bytesOf(socket);
    });
    // A client that goes away in the middle is the client's matter.
    socket.on('error', () => socket.destroy());
    if (this.silent) socket.resume();
    else this.#https.emit('connection', socket);
  }
}

function bytesOf({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten;
}
