import type { ServingCertificates } from '../api/certificates.ts';
import type { ApiServerOptions } from '../api/api-server.ts';
import { memoryAuthority } from './memory-authority.ts';
import { MemoryApiServer } from './memory-api-server.ts';

/** The servers of one simulated seed, by their addresses. */
export class MemoryNetwork {
  readonly #servers = new Map<string, MemoryApiServer>();

  /** A server with an address of its own. The first one is the seed's. */
  server(options: ApiServerOptions): MemoryApiServer {
    const number = this.#servers.size + 1;
    const url = `https://10.0.${number >> 8}.${number & 255}:6443`;
    const server = new MemoryApiServer(options, url);
    this.#servers.set(new URL(url).origin, server);
    return server;
  }

  async certificates(): Promise<ServingCertificates> {
    return { ca: memoryAuthority, certificate: '', key: '' };
  }

  /** Undefined where nobody has that address. */
  at(origin: string): MemoryApiServer | undefined {
    return this.#servers.get(origin);
  }
}
