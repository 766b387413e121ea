import { createServer, type Server, type Socket } from 'node:net';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { Agenda } from '../store/agenda.ts';
import type { Balancer, PathFault } from './balancer.ts';
import { BalancedConnection } from './balanced-connection.ts';
import { keepPort, listenOnLoopback } from './listen-on-loopback.ts';

export type LoadBalancerOptions = Readonly<{
  /** The port to which it forwards, and its host where that is not 127.0.0.1. */
  target: number;
  host?: string;
  /** By its clock `slow` is slow. */
  agenda: Agenda;
  /** Connections at once; 4,096 unless given. More are reset, and counted. */
  limit?: number;
}>;

/**
 * A TCP load balancer on 127.0.0.1, between kubelets and the API server: it sees bytes and no TLS. Needs `up` before it takes
 * anything, and keeps its port from then on.
 */
export class LoadBalancer implements Balancer {
  readonly #target: Readonly<{ host: string; port: number }>;
  readonly #agenda: Agenda;
  readonly #limit: number;
  readonly #open = new Set<BalancedConnection>();
  #tcp: Server | undefined;
  #port = 0;
  #fault: PathFault | undefined;
  #connectionCount = 0;
  #overLimitCount = 0;

  constructor({ target: port, host = '127.0.0.1', agenda, limit = 4_096 }: LoadBalancerOptions) {
    this.#target = { host, port };
    this.#agenda = agenda;
    this.#limit = limit;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  get fault(): PathFault | undefined {
    return this.#fault;
  }

  /** Clients that are connected now. */
  get connectionsNow(): number {
    return [...this.#open].filter(({ hasClient }) => hasClient).length;
  }

  /** Connections that were accepted so far, those that were reset at once included. */
  get connectionCount(): number {
    return this.#connectionCount;
  }

  /** Connections that were reset since there were too many at once. */
  get overLimitCount(): number {
    return this.#overLimitCount;
  }

  /** Listens: on a free port the first time, then on the same one. */
  async up(): Promise<void> {
    if (this.#tcp !== undefined) return;
    const tcp = createServer({ noDelay: true }, (client) => this.#accept(client));
    this.#tcp = tcp;
    this.#port = await listenOnLoopback(tcp, this.#port);
  }

  async setFault(fault: PathFault): Promise<void> {
    this.#fault = fault;
    if (fault.kind === 'refuse') return this.#close();
    await this.up();
    if (fault.kind === 'cut') this.#resetAll();
    for (const connection of this.#open) connection.goOn();
  }

  /** Works again: listens, and forwards what it held. */
  async heal(): Promise<void> {
    this.#fault = undefined;
    await this.up();
    for (const connection of this.#open) connection.goOn();
  }

  /** Closes its port and every connection; no timer and no socket is left. */
  async stop(): Promise<void> {
    await this.#close();
  }

  async #close(): Promise<void> {
    const tcp = this.#tcp;
    this.#tcp = undefined;
    if (tcp === undefined) return;
    const closed = new Promise<void>((resolve) => {
      tcp.close(() => resolve());
    });
    this.#resetAll();
    await Promise.all([closed, keepPort(this.#port)]);
  }

  #resetAll(): void {
    for (const connection of this.#open) connection.reset();
  }

  #accept(client: Socket): void {
    this.#connectionCount += 1;
    const over = this.#open.size >= this.#limit;
    if (over) this.#overLimitCount += 1;
    if (over || this.#fault?.kind === 'cut') {
      client.on('error', () => client.destroy());
      client.resetAndDestroy();
      return;
    }
    const connection = new BalancedConnection(client, {
      target: this.#target,
      agenda: this.#agenda,
      fault: () => this.#fault,
      onEnd: () => this.#open.delete(connection),
    });
    this.#open.add(connection);
    connection.goOn();
  }
}

/** One that takes connections already, before the API server at this URL, by the machine's clock. */
export async function balancerBefore(url: string): Promise<LoadBalancer> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const balancer = new LoadBalancer({ target: Number(port || 443), host, agenda: new Agenda(systemClock) });
  await balancer.up();
  return balancer;
}
