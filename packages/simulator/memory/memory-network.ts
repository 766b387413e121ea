import type { ServingCertificates } from '../api/certificates.ts';
import type { ApiServerOptions } from '../api/api-server.ts';
import { MemoryApiServer } from './memory-api-server.ts';
import type { Balancer, PathFault } from '../api/balancer.ts';
import type { Fate } from './fate.ts';

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

/**
 * The authority that all servers in memory name. Nobody has its key, and no TLS is spoken; kubeconfigs must name one. It is the same in each run, since a
 * history must be, byte for byte.
 */
export const memoryAuthority = `-----BEGIN CERTIFICATE-----
MIIBUTCB+KADAgECAhEA0DmQ7TT1qEapp9Pus+9OSTAKBggqhkjOPQQDAjAXMRUw
EwYDVQQDEwxzaW11bGF0ZWQgQ0EwIBcNMjAwMTAxMDAwMDAwWhgPMjA5OTAxMDEw
MDAwMDBaMBcxFTATBgNVBAMTDHNpbXVsYXRlZCBDQTBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABOdC/G9wG2flK5qf7TckThrZGVjUZEqs42wsmuFomcC0mumH2n0g
RTdbAytB4hnSiBfO9d7sKEJBWPetoLlgMZ2jIzAhMA8GA1UdEwEB/wQFMAMBAf8w
DgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMCA0gAMEUCICtZLjFW+U92JH3b5Ksz
n+Z4F6MliioRSUBMD7jEChvSAiEA9a43F+2Z/3m3CbeY3Naj5OM2k0yIcAYnMoGX
JUXEIQE=
-----END CERTIFICATE-----
`;

/**
 * A load balancer in memory: an address of its own, and a fault that strikes each request which is sent while it lasts. What was sent
 * before goes on, since it takes no more than milliseconds here.
 */
export class MemoryBalancer implements Balancer {
  readonly url: string;
  #fault: PathFault | undefined;
  #connectionCount = 0;

  constructor(url: string) {
    this.url = url;
  }

  get fault(): PathFault | undefined {
    return this.#fault;
  }

  get connectionCount(): number {
    return this.#connectionCount;
  }

  /** What becomes of a request that is sent through it now, whose fate is else this. */
  through(fate: Fate): Fate {
    this.#connectionCount += 1;
    const fault = this.#fault;
    if (fault === undefined) return fate;
    const by = `path ${fault.kind}` as const;
    switch (fault.kind) {
      case 'refuse':
        return { ...fate, end: { kind: 'refused' }, by };
      case 'cut':
      case 'reset':
        return { ...fate, end: { kind: 'lost', reset: true }, by };
      case 'hang':
        return { ...fate, end: { kind: 'lost', reset: false }, by };
      case 'slow': {
        const { there, back } = fate;
        return { ...fate, there: there + fault.delay, back: back + fault.delay, isSlow: true, by };
      }
      default:
        return fault satisfies never;
    }
  }

  async up(): Promise<void> {
    // Nothing listens, so nothing has to begin.
  }

  async setFault(fault: PathFault): Promise<void> {
    this.#fault = fault;
  }

  async heal(): Promise<void> {
    this.#fault = undefined;
  }

  async stop(): Promise<void> {
    this.#fault = { kind: 'refuse' };
  }
}
