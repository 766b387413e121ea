import { V1MicroTime, type V1Lease } from '@kubernetes/client-node';
import { nodeObject } from '../../src/simulator/shoot/shoot-objects.ts';
import { microTime } from '../../src/simulator/store/kube-object.ts';
import type { RealApiServer } from './api-server.ts';

const namespace = 'kube-node-lease';
const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

/** Since when the nodes' conditions are as they are. */
const joined = Date.parse('2026-01-01T00:00:00Z');

const renewEvery = 10_000;
/** A kubelet waits up to this fraction longer. */
const jitterFraction = 0.04;

export type Kubelets = Readonly<{
  /** For the phases and their jitter; one number after the other for each node. */
  chance?: (node: string) => () => number;
  /** A real kubelet posts its status every five minutes unless something changed; else, with each renewal. */
  statusEvery?: number;
  /** By how much their clocks are ahead of the time, in ms; below 0: behind. */
  ahead?: number;
}>;

/** The kubelets of a real shoot, as far as its control plane sees them. */
export class RealNodes {
  readonly names: readonly string[];
  /** When each last renewed its lease and was told so. */
  readonly renewedAt = new Map<string, number>();
  /** Renewals that failed, by when they began. The kubelet tries again at its next time. */
  readonly failures: Readonly<{ at: number; error: unknown }>[] = [];
  readonly #statusPostedAt = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Kubelets that stand still, by their nodes. */
  readonly halted = new Set<string>();
  #stopped = false;
  readonly #way: RealApiServer;
  readonly #kubelets: Kubelets;

  /** `way`: the API server as the kubelets reach it. */
  constructor(way: RealApiServer, count: number, kubelets: Kubelets = {}) {
    this.#way = way;
    this.#kubelets = kubelets;
    this.names = Array.from({ length: count }, (_, index) => `node-${index}`);
  }

  /** The first renewals come within 10 s after that instant, or after each has joined. */
  async join(startAt?: number): Promise<void> {
    for (const name of this.names) {
      await joinNode(this.#way, name, this.#kubelets.ahead);
      const chance = this.#kubelets.chance?.(name) ?? Math.random;
      this.#renewAt(name, (startAt ?? Date.now()) + chance() * renewEvery, chance);
    }
  }

  /** Stops all renewals for good. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  async #renew(name: string): Promise<void> {
    if (this.halted.has(name)) {
      this.#statusPostedAt.delete(name);
      return;
    }
    const at = Date.now();
    try {
      await this.#reach(name, at);
    } catch (error) {
      // It sees that its node was marked meanwhile, and says at once that it is well.
      this.#statusPostedAt.delete(name);
      if (!this.#stopped) this.failures.push({ at, error });
    }
  }

  async #reach(name: string, now: number): Promise<void> {
    const { ahead = 0 } = this.#kubelets;
    await this.#way.call('PATCH', `${leases}/${name}`, { spec: { renewTime: microTime(now + ahead) } });
    this.renewedAt.set(name, now);
    const { statusEvery = 0 } = this.#kubelets;
    if (now - (this.#statusPostedAt.get(name) ?? 0) < statusEvery) return;
    const { conditions } = nodeObject(name, joined)['status'] as { conditions: object[] };
    const beating = conditions.map((one) => ({ ...one, lastHeartbeatTime: new Date(now).toISOString() }));
    await this.#way.call('PATCH', `/api/v1/nodes/${name}/status`, { status: { conditions: beating } });
    this.#statusPostedAt.set(name, now);
  }

  #renewAt(name: string, at: number, chance: () => number): void {
    const next = () => {
      this.#renewAt(name, at + renewEvery * (1 + jitterFraction * chance()), chance);
      void this.#renew(name);
    };
    this.#timers.set(name, setTimeout(next, Math.max(0, at - Date.now())));
  }
}

/** A node with its lease, as a kubelet that comes makes them. */
export async function joinNode(server: RealApiServer, name: string, ahead?: number): Promise<void> {
  const { status, ...node } = nodeObject(name, Date.now());
  await server.call('POST', '/api/v1/nodes', node);
  await server.call('PATCH', `/api/v1/nodes/${name}/status`, { status });
  await server.call('POST', leases, ownerlessLease(name, ahead));
}

/** A lease as a kubelet makes it, but for its owner: one without uid would have it collected as garbage. */
export function ownerlessLease(name: string, ahead = 0): V1Lease {
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: new V1MicroTime(Date.now() + ahead) };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec };
}
