import { randomInt } from 'node:crypto';
import type { Server } from 'node:net';

/** Connections that the kernel keeps while we are busy: all shoots may be probed, and all kubelets may come, at one instant. */
const backlog = 1_024;

/**
 * Below those that the kernel gives to clients, and to whoever asks for any: a server that is down for a while finds its own port free
 * again, whatever else runs on the machine.
 */
const leastPort = 20_000;
const mostPort = 29_999;
const mostTries = 50;

/** Listens on 127.0.0.1; port 0 stands for any free one. Answers the port. Rejects where it cannot be had. */
export async function listenOnLoopback(tcp: Server, port: number): Promise<number> {
  if (port !== 0) return listen(tcp, port);
  for (let tries = 1; tries < mostTries; tries += 1) {
    try {
      return await listen(tcp, randomInt(leastPort, mostPort + 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  return listen(tcp, 0);
}

async function listen(tcp: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    tcp.once('error', reject);
    tcp.listen(port, '127.0.0.1', backlog, () => {
      tcp.off('error', reject);
      resolve();
    });
  });
  const address = tcp.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
