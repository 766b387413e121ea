import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Server } from 'node:net';

/** Connections that the kernel keeps while we are busy: all shoots may be probed, and all kubelets may come, at one instant. */
const backlog = 1_024;

/** Below the ports of a cluster's nodes (from 30000 on), and below those that the kernel gives to clients by itself (from 32768 on). */
const [leastPort, beyondPorts] = [20_000, 30_000];
const mostTries = 100;

/** Those of servers that are down, by port; the oldest first. */
const kept = new Map<number, Socket>();
/** A server that is never up again does not say so. */
const mostKept = 100;

/** Listens on 127.0.0.1; port 0 stands for any that is free and not kept. Answers the port. Rejects if it cannot be had. */
export async function listenOnLoopback(tcp: Server, port: number, choose = anyPort): Promise<number> {
  if (port !== 0) {
    await listen(tcp, port);
    letGo(port);
    return port;
  }
  for (let tries = 1; ; tries += 1) {
    const chosen = choose();
    try {
      const held = await hold(chosen);
      await listen(tcp, chosen).finally(() => held.close());
      return chosen;
    } catch (error) {
      if (tries === mostTries || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

/**
 * Keeps a port for a server that is down, until one listens there again, or a hundred others are kept: processes of ours choose their
 * ports at random, and one of them would take it sooner or later. Does nothing if a foreign program has it.
 */
export async function keepPort(port: number): Promise<void> {
  for (let tries = 1; tries <= mostTries && !kept.has(port); tries += 1) {
    // A process that is choosing a port holds it for an instant. So one failure says little.
    const held = await hold(port).catch(() => undefined);
    if (held !== undefined) kept.set(port, held);
  }
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) letGo(oldest);
}

const anyPort = (): number => randomInt(leastPort, beyondPorts);

function letGo(port: number): void {
  kept.get(port)?.close();
  kept.delete(port);
}

/** Holds the UDP port of the same number: the kernel gives it to one process only, and we use it for nothing else. */
async function hold(port: number): Promise<Socket> {
  const socket = createSocket('udp4');
  // It must not keep the process alive.
  socket.unref();
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  try {
    await once(socket, 'listening');
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}

async function listen(tcp: Server, port: number): Promise<void> {
  tcp.listen(port, '127.0.0.1', backlog);
  await once(tcp, 'listening');
}
