import type { Dispatcher, Pool } from 'undici';
import requests from 'undici/lib/api/index.js';
import PoolOfConnections from 'undici/lib/dispatcher/pool.js';

// The whole of undici also brings fetch, WebSockets, caches and mocks: 7 MiB that a prober never uses. Its index gives each
// dispatcher the methods to ask with, and so do we.
Object.assign(PoolOfConnections.prototype, requests);

/** Makes connections to one server: over TLS, or in memory where a whole seed is simulated. */
export type Dial = (origin: string, options: Pool.Options) => Dispatcher;

/** Makes connections over TLS. */
export function undiciPool(origin: string, options: Pool.Options): Pool {
  return new PoolOfConnections(origin, options);
}
