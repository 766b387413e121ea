import { leaseObject, nodeObject } from '../../../src/simulator/shoot-objects.ts';
import { microTime } from '../../../src/simulator/micro-time.ts';
import type { RealApiServer } from './real-api-server.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** The kubelets of a real shoot, as far as its control plane sees them. */
export class RealNodes {
  readonly names: readonly string[];
  /** When each last renewed its lease. */
  readonly renewedAt = new Map<string, number>();
  #reaching = true;
  readonly #shoot: RealApiServer;

  constructor(shoot: RealApiServer, count: number) {
    this.#shoot = shoot;
    this.names = Array.from({ length: count }, (_, index) => `node-${index}`);
  }

  async join(): Promise<void> {
    for (const name of this.names) {
      const { status, ...node } = nodeObject(name, Date.now());
      await this.#shoot.call('POST', '/api/v1/nodes', node);
      await this.#shoot.call('PATCH', `/api/v1/nodes/${name}/status`, { status });
      const { spec } = leaseObject(name, Date.now());
      await this.#shoot.call('POST', leases, { metadata: { name, namespace: 'kube-node-lease' }, spec });
      const phase = Math.random() * 10_000;
      setTimeout(() => this.#renewEvery10s(name), phase);
    }
  }

  cutOff(): void {
    this.#reaching = false;
  }

  heal(): void {
    this.#reaching = true;
    for (const name of this.names) void this.#renew(name);
  }

  /** The nodes that the controller-manager takes for dead. */
  async marked(): Promise<readonly string[]> {
    const { body } = await this.#shoot.call('GET', '/api/v1/nodes');
    const items = body['items'] as {
      metadata: { name: string };
      status?: { conditions?: { type: string; status: string }[] };
    }[];
    return items
      .filter(({ status }) =>
        status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value !== 'True'),
      )
      .map(({ metadata }) => metadata.name);
  }

  async #renew(name: string): Promise<void> {
    if (!this.#reaching) return;
    const now = Date.now();
    await this.#shoot.call('PATCH', `${leases}/${name}`, { spec: { renewTime: microTime(now) } });
    this.renewedAt.set(name, now);
    // A kubelet that reaches its API server posts its status as well.
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      lastHeartbeatTime: new Date(now).toISOString(),
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    await this.#shoot.call('PATCH', `/api/v1/nodes/${name}/status`, { status: { conditions: [ready] } });
  }

  #renewEvery10s(name: string): void {
    setInterval(() => void this.#renew(name), 10_000);
    void this.#renew(name);
  }
}
