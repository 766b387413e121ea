import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { TestContext } from 'vitest';

/** A port of 127.0.0.1 on which somebody else listens: any, or this one, whoever that is. */
export async function takenPort({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, port = 0): Promise<number> {
  const server = createServer();
  const listening = once(server, 'listening');
  server.listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  try {
    await listening;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return port;
    throw error;
  }
  return (server.address() as AddressInfo).port;
}
