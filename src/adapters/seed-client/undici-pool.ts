import type { Dispatcher, Pool } from 'undici';
import PoolOfConnections from 'undici/lib/dispatcher/pool.js';

// The whole of undici also brings fetch, WebSockets, caches and mocks: 7 MiB that a prober never uses.

/** Makes connections to one server: over TLS, or in memory where a whole seed is simulated. */
export type Dial = (origin: string, options: Pool.Options) => Dispatcher;

/** Makes connections over TLS. */
export function undiciPool(origin: string, options: Pool.Options): Pool {
  return new PoolOfConnections(origin, options);
}
