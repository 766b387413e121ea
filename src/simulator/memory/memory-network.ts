import type { ServingCertificates } from '../api/certificates.ts';
import type { ApiServerOptions } from '../api/api-server.ts';
import { memoryAuthority } from './memory-authority.ts';
import { MemoryApiServer } from './memory-api-server.ts';

/** The servers of one simulated seed, by their addresses. */
export class MemoryNetwork {
  readonly #servers = new Map<string, MemoryApiServer[]>();
  readonly #options = new Map<string, ApiServerOptions>();

  /** A server with an address of its own. The first one is the seed's. */
  server(options: ApiServerOptions): MemoryApiServer {
    const number = this.#servers.size + 1;
    const url = `https://10.0.${number >> 8}.${number & 255}:6443`;
    const server = new MemoryApiServer(options, url);
    this.#servers.set(server.url, [server]);
    this.#options.set(server.url, options);
    return server;
  }

  /** Another server over the same etcd, behind the same address. */
  twin(first: MemoryApiServer): MemoryApiServer {
    const options = this.#options.get(first.url);
    if (options === undefined) throw new Error(`no server has the address ${first.url}`);
    const twin = new MemoryApiServer({ ...options, twin: first }, first.url);
    this.#servers.get(first.url)?.push(twin);
    return twin;
  }

  async certificates(): Promise<ServingCertificates> {
    return { ca: memoryAuthority, certificate: '', key: '' };
  }

  /** All that stand behind an address; none where nobody has it. */
  at(origin: string): readonly MemoryApiServer[] {
    return this.#servers.get(origin) ?? [];
  }
}
