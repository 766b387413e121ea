import type { ServingCertificates } from '../api/certificates.ts';
import type { ApiServerOptions } from '../api/api-server.ts';
import { memoryAuthority } from './memory-authority.ts';
import { MemoryBalancer } from './memory-balancer.ts';
import { MemoryApiServer } from './memory-api-server.ts';

/** The servers of one simulated seed, by their addresses. */
export class MemoryNetwork {
  readonly #servers = new Map<string, MemoryApiServer[]>();
  readonly #options = new Map<string, ApiServerOptions>();
  readonly #balancers = new Map<string, MemoryBalancer>();

  /** A server with an address of its own. The first one is the seed's. */
  server(options: ApiServerOptions): MemoryApiServer {
    const server = new MemoryApiServer(options, this.#newUrl());
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

  /** A load balancer before a server, and before whoever stands behind the same address. */
  balancer({ url }: Pick<MemoryApiServer, 'url'>): MemoryBalancer {
    const balancer = new MemoryBalancer(this.#newUrl());
    this.#servers.set(balancer.url, this.#servers.get(url) ?? []);
    this.#balancers.set(balancer.url, balancer);
    return balancer;
  }

  /** The load balancer that has this address. */
  balancerAt(origin: string): MemoryBalancer | undefined {
    return this.#balancers.get(origin);
  }

  async certificates(): Promise<ServingCertificates> {
    return { ca: memoryAuthority, certificate: '', key: '' };
  }

  /** All that stand behind an address; none where nobody has it. */
  at(origin: string): readonly MemoryApiServer[] {
    return this.#servers.get(origin) ?? [];
  }

  #newUrl(): string {
    const number = this.#servers.size + 1;
    return `https://10.0.${number >> 8}.${number & 255}:6443`;
  }
}
