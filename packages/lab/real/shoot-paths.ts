import { hasTwoPaths, type ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { ShootPaths } from '@dwd/simulator/shoot/shoot-paths.ts';
import type { RealApiServer } from './api-server.ts';
import { shootUser } from '@dwd/testing/gardener-rbac.ts';

/** A kubelet gives up on a renewal after so long, in ms, and opens a new connection for the next one. */
const kubeletPatience = 10_000;

/** The two ways to a real shoot's API server: nobody takes the internal one but the prober, and the kubelets take the external one as well. */
export class RealShootPaths extends ShootPaths {
  /** The API server as the kubelets reach it. */
  readonly ofKubelets: RealApiServer;
  readonly #server: RealApiServer;

  private constructor(server: RealApiServer, paths: ShootPaths) {
    super(paths);
    this.ofKubelets = server.by(paths.external.url, kubeletPatience);
    this.#server = server;
  }

  static async of(server: RealApiServer): Promise<RealShootPaths> {
    return new RealShootPaths(server, await ShootPaths.before(server.url));
  }

  /** What stands in each Secret of a shoot, by the Secret's name. Where leases are judged, the prober goes past both, unless it is to go by the internal one. */
  kubeconfigs(config: ProberConfig, internally = false): (secret: string) => string {
    const by = (address: string) => this.#server.kubeconfig(shootUser, address);
    if (!hasTwoPaths(config)) return () => by(internally ? this.internal.url : this.#server.urlForOthers);
    return (secret) => by(secret === config.internalKubeConfigSecretName ? this.internal.url : this.external.url);
  }

  override async stop(): Promise<void> {
    await this.ofKubelets.close();
    await super.stop();
  }
}
