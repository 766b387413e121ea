import { connect, createServer, type Server, type Socket } from 'node:net';
import { keepPort, listenOnLoopback } from '@dwd/simulator/api/listen-on-loopback.ts';

type Mood =
  /** Passes everything on. */
  | 'up'
  /** Nobody listens. */
  | 'refusing'
  /** Connections are taken, and nothing ever comes of them. */
  | 'silent';

/** Stands before a shoot's API server for the program alone: kubelets and test go past it. It counts who comes. */
export class ApiProxy {
  /** Connections so far; each probe makes one of its own (SPEC 4.3). */
  connections = 0;
  readonly #host: string;
  readonly #targetPort: number;
  #mood: Mood = 'up';
  #port = 0;
  #server: Server | undefined;
  readonly #open = new Set<Socket>();

  constructor(server: string) {
    const { hostname, port } = new URL(server);
    this.#host = hostname.replace(/^\[(.*)\]$/, '$1');
    this.#targetPort = port === '' ? 443 : Number(port);
  }

  get port(): number {
    return this.#port;
  }

  async turn(mood: Mood): Promise<void> {
    this.#mood = mood;
    for (const socket of this.#open) socket.destroy();
    if (mood === 'refusing') await this.stop();
    else if (this.#server === undefined) await this.start();
  }

  /** Listens at the port that it had before, if any. */
  async start(): Promise<void> {
    const server = createServer((socket) => this.#take(socket));
    this.#server = server;
    this.#port = await listenOnLoopback(server, this.#port);
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.all([closed, keepPort(this.#port)]);
  }

  #take(socket: Socket): void {
    this.connections++;
    this.#keep(socket);
    if (this.#mood !== 'up') return;
    const target = connect(this.#targetPort, this.#host);
    this.#keep(target);
    socket.pipe(target).pipe(socket);
    socket.once('close', () => target.destroy());
    target.once('close', () => socket.destroy());
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#open.delete(socket));
  }
}
