import { createServer } from 'node:net';
import { once } from 'node:events';

/** One that nobody listens at: for a program that cannot say which one it got. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
