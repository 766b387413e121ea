import { connect, type Socket } from 'node:net';
import type { Agenda } from '../store/agenda.ts';
import type { PathFault } from './balancer.ts';

export type BalancedConnectionParts = Readonly<{
  target: Readonly<{ host: string; port: number }>;
  agenda: Agenda;
  /** What its load balancer does at present in place of its work. */
  fault: () => PathFault | undefined;
  /** Both of its sockets are closed. */
  onEnd: () => void;
}>;

/** Bytes that wait in one direction. Beyond them we read no more, and TCP holds the sender back. */
const heldLimit = 256 * 1_024;

/** Bytes, or how the sender went: in good order, or with a reset. */
type Item = Buffer | 'end' | 'reset';

/** One way through a connection: what came and did not go on yet, in its order. */
type Way = { readonly items: Item[]; bytes: number; waits: boolean };

/**
 * One client's connection and the one to the target that belongs to it. What comes waits in line: so a fault that begins or
 * ends in between changes no order, and a client that goes away is noticed even while nothing goes on.
 */
export class BalancedConnection {
  readonly #client: Socket;
  readonly #parts: BalancedConnectionParts;
  readonly #toTarget: Way = { items: [], bytes: 0, waits: false };
  readonly #toClient: Way = { items: [], bytes: 0, waits: false };
  #server: Socket | undefined;
  #targetSpoke = false;

  constructor(client: Socket, parts: BalancedConnectionParts) {
    this.#client = client;
    this.#parts = parts;
    this.#follow(client, this.#toTarget);
  }

  get hasClient(): boolean {
    return !this.#client.destroyed;
  }

  /** Forwards what the present fault lets through. */
  goOn(): void {
    if (this.#holds()) return;
    this.#server ??= this.#connect();
    this.#pump(this.#toTarget);
    this.#pump(this.#toClient);
  }

  /** Resets it, on both sides. */
  reset(): void {
    for (const way of [this.#toTarget, this.#toClient]) {
      way.items.length = 0;
      way.bytes = 0;
    }
    this.#client.resetAndDestroy();
    this.#server?.resetAndDestroy();
    this.#endIfClosed();
  }

  #holds(): boolean {
    return this.#parts.fault()?.kind === 'hang';
  }

  #connect(): Socket {
    const server = connect({ ...this.#parts.target, noDelay: true });
    this.#follow(server, this.#toClient);
    return server;
  }

  #follow(from: Socket, way: Way): void {
    let end: Item = 'end';
    const take = (item: Item): void => {
      way.items.push(item);
      if (typeof item !== 'string') way.bytes += item.length;
      if (way.bytes > heldLimit) from.pause();
      if (!this.#holds()) this.#pump(way);
    };
    from.on('data', take);
    from.on('drain', () => this.goOn());
    from.on('error', () => {
      end = 'reset';
    });
    from.on('close', () => {
      take(end);
      this.#endIfClosed();
    });
  }

  #pump(way: Way): void {
    const fault = this.#parts.fault();
    while (way.items.length > 0 && !way.waits) {
      if (fault?.kind === 'reset' && way === this.#toTarget && this.#targetSpoke) return this.reset();
      if (fault?.kind === 'slow') {
        way.waits = true;
        this.#parts.agenda.after(fault.delay, () => {
          way.waits = false;
          if (this.#holds()) return;
          this.#forward(way);
          this.#pump(way);
        });
        return;
      }
      if (!this.#forward(way)) return;
    }
  }

  /** The first that waits; answers whether there is room for more. */
  #forward(way: Way): boolean {
    const [from, to] = way === this.#toTarget ? [this.#client, this.#server] : [this.#server, this.#client];
    if (to === undefined) return false;
    if (to.writableNeedDrain && !to.destroyed) return false;
    const item = way.items.shift();
    if (item === undefined) return false;
    if (item === 'end') to.end();
    else if (item === 'reset') to.resetAndDestroy();
    else {
      if (way === this.#toClient) this.#targetSpoke = true;
      way.bytes -= item.length;
      if (!to.destroyed) to.write(item);
    }
    if (way.bytes <= heldLimit) from?.resume();
    return true;
  }

  #endIfClosed(): void {
    const { destroyed } = this.#server ?? { destroyed: true };
    if (this.#client.destroyed && destroyed) this.#parts.onEnd();
  }
}
