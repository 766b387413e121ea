import { V1MicroTime, type V1Lease } from '@kubernetes/client-node';
import { nodeObject } from '../../src/simulator/shoot/shoot-objects.ts';
import { microTime } from '../../src/simulator/store/kube-object.ts';
import type { RealApiServer } from './api-server.ts';
import { mergePatch, type OperatorClient } from './operator-client.ts';

const namespace = 'kube-node-lease';

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
}>;

/** The kubelets of a real shoot, as far as its control plane sees them. */
export class RealNodes {
  readonly names: readonly string[];
  /** When each last renewed its lease. */
  readonly renewedAt = new Map<string, number>();
  /** The errors of renewals that were not cut off. The kubelet tries again at its next time. */
  readonly failures: unknown[] = [];
  readonly #statusPostedAt = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #reaching = true;
  readonly #shoot: OperatorClient;
  readonly #kubelets: Kubelets;

  constructor(shoot: RealApiServer, count: number, kubelets: Kubelets = {}) {
    this.#shoot = shoot.operator;
    this.#kubelets = kubelets;
    this.names = Array.from({ length: count }, (_, index) => `node-${index}`);
  }

  /** The first renewals come within 10 s after that instant, or after each has joined. */
  async join(startAt?: number): Promise<void> {
    for (const name of this.names) {
      const { status, ...node } = nodeObject(name, Date.now());
      const { core, coordination } = this.#shoot;
      await core.createNode({ body: node });
      await core.patchNodeStatus({ name, body: { status } }, mergePatch);
      await coordination.createNamespacedLease({ namespace, body: ownerlessLease(name) });
      const chance = this.#kubelets.chance?.(name) ?? Math.random;
      this.#renewAt(name, (startAt ?? Date.now()) + chance() * renewEvery, chance);
    }
  }

  cutOff(): void {
    this.#reaching = false;
  }

  /** Each renews at once, or at its next time, within 10 s. */
  heal(when: 'at once' | 'in turn' = 'at once'): void {
    this.#reaching = true;
    this.#statusPostedAt.clear();
    if (when === 'at once') for (const name of this.names) void this.#renew(name);
  }

  /** Stops all renewals for good. */
  stop(): void {
    this.#reaching = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  /** The nodes that the controller-manager has marked as dead. */
  async marked(): Promise<readonly string[]> {
    const { items } = await this.#shoot.core.listNode();
    return items
      .filter(({ status }) =>
        status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value !== 'True'),
      )
      .flatMap(({ metadata }) => metadata?.name ?? []);
  }

  async #renew(name: string): Promise<void> {
    try {
      if (this.#reaching) await this.#reach(name);
    } catch (error) {
      if (this.#reaching) this.failures.push(error);
    }
  }

  async #reach(name: string): Promise<void> {
    const now = Date.now();
    const renewal = { spec: { renewTime: microTime(now) } };
    await this.#shoot.coordination.patchNamespacedLease({ namespace, name, body: renewal }, mergePatch);
    this.renewedAt.set(name, now);
    const { statusEvery = 0 } = this.#kubelets;
    if (now - (this.#statusPostedAt.get(name) ?? 0) < statusEvery) return;
    this.#statusPostedAt.set(name, now);
    const { conditions } = nodeObject(name, joined)['status'] as { conditions: object[] };
    const beating = conditions.map((one) => ({ ...one, lastHeartbeatTime: new Date(now).toISOString() }));
    await this.#shoot.core.patchNodeStatus({ name, body: { status: { conditions: beating } } }, mergePatch);
  }

  #renewAt(name: string, at: number, chance: () => number): void {
    const next = () => {
      this.#renewAt(name, at + renewEvery * (1 + jitterFraction * chance()), chance);
      void this.#renew(name);
    };
    this.#timers.set(name, setTimeout(next, Math.max(0, at - Date.now())));
  }
}

/** A lease as a kubelet makes it, but for its owner: one without uid would have it collected as garbage. */
export function ownerlessLease(name: string): V1Lease {
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: new V1MicroTime() };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec };
}
