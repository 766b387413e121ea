import { hasTwoPaths, type ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { balancerBefore, type LoadBalancer } from '@dwd/simulator/api/load-balancer.ts';
import type { RealApiServer } from './api-server.ts';
import { shootUser } from '@dwd/testing/gardener-rbac.ts';

/** A kubelet gives up on a renewal after so long, in ms, and opens a new connection for the next one. */
const kubeletPatience = 10_000;

/** The two ways to a real shoot's API server (SPEC 4.9), each through a TCP load balancer that can fail. */
export class ShootPaths {
  /** As its service: nobody takes it but the prober. */
  readonly internal: LoadBalancer;
  /** As the load balancer in front of it: prober and kubelets take it. */
  readonly external: LoadBalancer;
  /** The API server as the kubelets reach it. */
  readonly ofKubelets: RealApiServer;
  readonly #server: RealApiServer;

  private constructor(server: RealApiServer, internal: LoadBalancer, external: LoadBalancer) {
    [this.internal, this.external] = [internal, external];
    this.ofKubelets = server.by(external.url, kubeletPatience);
    this.#server = server;
  }

  /** Both work. */
  static async before(server: RealApiServer): Promise<ShootPaths> {
    return new ShootPaths(server, await balancerBefore(server.url), await balancerBefore(server.url));
  }

  /** What stands in each Secret of a shoot, by the Secret's name. Where leases are judged, the prober goes past both, unless it is to go by the internal one. */
  kubeconfigs(config: ProberConfig, internally = false): (secret: string) => string {
    const by = (address: string) => this.#server.kubeconfig(shootUser, address);
    if (!hasTwoPaths(config)) return () => by(internally ? this.internal.url : this.#server.urlForOthers);
    return (secret) => by(secret === config.internalKubeConfigSecretName ? this.internal.url : this.external.url);
  }

  async heal(): Promise<void> {
    await Promise.all([this.internal.heal(), this.external.heal()]);
  }

  async stop(): Promise<void> {
    await this.ofKubelets.close();
    await Promise.all([this.internal.stop(), this.external.stop()]);
  }
}
