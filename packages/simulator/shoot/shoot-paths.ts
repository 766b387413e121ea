import type { ShootPath } from 'dependency-watchdog/domain/prober/shoot-path.ts';
import type { Balancer, PathFault } from '../api/balancer.ts';
import { balancerBefore } from '../api/load-balancer.ts';
import { renewEvery } from './kubelets.ts';

/**
 * The two ways to a shoot's API server (SPEC 4.9), each of which may fail by itself: `internal` through its service in the
 * seed, `external` through the load balancer, as the kubelets go.
 */
export class ShootPaths {
  readonly internal: Balancer;
  readonly external: Balancer;

  constructor({ internal, external }: Readonly<Record<ShootPath, Balancer>>) {
    this.internal = internal;
    this.external = external;
  }

  /** Both work, by the machine's clock. `url`: of the API server. */
  static async before(url: string): Promise<ShootPaths> {
    return new ShootPaths({ internal: await balancerBefore(url), external: await balancerBefore(url) });
  }

  /** Whether a kubelet's renewal comes through. It goes straight into the store, so nobody sends it: a slow way must let it pass within its time. */
  get carriesRenewals(): boolean {
    const { fault } = this.external;
    return fault === undefined || (fault.kind === 'slow' && fault.delay < renewEvery);
  }

  async up(): Promise<void> {
    await Promise.all([this.internal.up(), this.external.up()]);
  }

  async break(path: ShootPath, fault: PathFault): Promise<void> {
    await this[path].setFault(fault);
  }

  /** Both, unless one is named. */
  async heal(path?: ShootPath): Promise<void> {
    if (path !== undefined) return this[path].heal();
    await Promise.all([this.internal.heal(), this.external.heal()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.internal.stop(), this.external.stop()]);
  }
}
