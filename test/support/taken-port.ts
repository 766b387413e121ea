import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { TestContext } from 'vitest';

/** A port of 127.0.0.1 on which somebody else listens. */
export async function takenPort({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
