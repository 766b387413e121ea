import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what the kernel gives out by itself (from 32768 on), and below the ports of nodes of a cluster (from 30000 on). */
const [least, beyond] = [20_000, 30_000];
const mostTries = 100;

/**
 * A port on which nobody listens now, for a program that cannot say which one it got. The kernel would soon give one of its own to another
 * process beside us. Rejects with the last error where none can be had.
 */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(least, beyond);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if (tries === mostTries) throw error;
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
