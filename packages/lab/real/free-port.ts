import { once } from 'node:events';
import { createServer } from 'node:net';
import { keepPort, listenOnLoopback } from '@dwd/simulator/api/listen-on-loopback.ts';

/** A port of 127.0.0.1 on which nobody listens now, and which none of our processes will choose, for a program that is told where to listen. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  await keepPort(port);
  server.close();
  await once(server, 'close');
  return port;
}
