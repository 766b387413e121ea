import { nodeObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { microTime } from '@dwd/simulator/store/kube-object.ts';
import type { RealApiServer } from './api-server.ts';
import { V1MicroTime, type V1Lease } from '@kubernetes/client-node';

/** Since when the nodes' conditions are as they are. */
const joined = Date.parse('2026-01-01T00:00:00Z');

const renewEvery = 10_000;
/** A kubelet waits up to this fraction longer. */
const jitterFraction = 0.04;

type Playing = Readonly<{
  /** For the phases and their jitter; one number after the other for each node. */
  chance?: (node: string) => () => number;
  /** A real kubelet posts its status every five minutes unless something changed; else, with each renewal. */
  statusEvery?: number;
  /** By how much their clocks are ahead of the time, in ms; below 0: behind. */
  ahead?: number;
}>;

type Played = {
  timer: NodeJS.Timeout | undefined;
  hasJoined: boolean;
  isSilent: boolean;
  renewedAt?: number;
  statusPostedAt?: number;
};

/** Kubelets as far as the control plane of their real shoot sees them: their nodes, leases and status. */
export class PlayedKubelets implements Kubelets {
  readonly failures: Readonly<{ at: number; error: unknown }>[] = [];
  readonly #kubelets = new Map<string, Played>();
  readonly #way: RealApiServer;
  readonly #playing: Playing;

  /** `way`: the API server as the kubelets reach it. */
  constructor(way: RealApiServer, playing: Playing = {}) {
    this.#way = way;
    this.#playing = playing;
  }

  get names(): readonly string[] {
    return [...this.#kubelets.keys()];
  }

  /** The first renewal comes within 10 s after `from`; one that cannot join then tries again every 10 s. */
  async start(name: string, from?: number): Promise<void> {
    const kubelet: Played = { timer: undefined, hasJoined: false, isSilent: false };
    this.#kubelets.set(name, kubelet);
    await this.#join(name, kubelet);
    const chance = this.#playing.chance?.(name) ?? Math.random;
    this.#renewAt(name, kubelet, (from ?? Date.now()) + chance() * renewEvery, chance);
  }

  async end(name: string): Promise<void> {
    clearTimeout(this.#kubelets.get(name)?.timer);
    this.#kubelets.delete(name);
  }

  cutOff(names: readonly string[] = this.names): void {
    for (const name of names) this.#setSilent(name, true);
  }

  heal(names: readonly string[] = this.names): void {
    for (const name of names) this.#setSilent(name, false);
  }

  async haveRenewed(): Promise<boolean> {
    return this.#kubelets.values().every(({ renewedAt }) => renewedAt !== undefined);
  }

  async stop(): Promise<void> {
    for (const name of this.names) await this.end(name);
  }

  #setSilent(name: string, isSilent: boolean): void {
    const kubelet = this.#kubelets.get(name);
    if (kubelet === undefined) return;
    kubelet.isSilent = isSilent;
    // Once it goes on, it says at once that it is well.
    delete kubelet.statusPostedAt;
  }

  async #join(name: string, kubelet: Played): Promise<void> {
    await this.#try(name, kubelet, async () => {
      await joinNode(this.#way, name, this.#playing.ahead);
      kubelet.hasJoined = true;
    });
  }

  async #try(name: string, kubelet: Played, attempt: (at: number) => Promise<void>): Promise<void> {
    const at = Date.now();
    try {
      await attempt(at);
    } catch (error) {
      // It sees that its node was marked meanwhile, and says at once that it is well.
      delete kubelet.statusPostedAt;
      if (this.#kubelets.get(name) === kubelet) this.failures.push({ at, error });
    }
  }

  async #renew(name: string, kubelet: Played, now: number): Promise<void> {
    const { ahead = 0, statusEvery = 0 } = this.#playing;
    await this.#way.call('PATCH', `${nodeLeases}/${name}`, { spec: { renewTime: microTime(now + ahead) } });
    kubelet.renewedAt = now;
    if (now - (kubelet.statusPostedAt ?? 0) < statusEvery) return;
    const { conditions } = nodeObject(name, joined)['status'] as { conditions: object[] };
    const beating = conditions.map((one) => ({ ...one, lastHeartbeatTime: new Date(now).toISOString() }));
    await this.#way.call('PATCH', `/api/v1/nodes/${name}/status`, { status: { conditions: beating } });
    kubelet.statusPostedAt = now;
  }

  #renewAt(name: string, kubelet: Played, at: number, chance: () => number): void {
    const next = () => {
      this.#renewAt(name, kubelet, at + renewEvery * (1 + jitterFraction * chance()), chance);
      if (kubelet.isSilent) return;
      void (kubelet.hasJoined
        ? this.#try(name, kubelet, (now) => this.#renew(name, kubelet, now))
        : this.#join(name, kubelet));
    };
    if (this.#kubelets.get(name) === kubelet) kubelet.timer = setTimeout(next, Math.max(0, at - Date.now()));
  }
}

/** The kubelets of a real shoot, which reach its API server by a way that may break. */
export interface Kubelets {
  /** Of the nodes whose kubelets run. */
  readonly names: readonly string[];
  /** Renewals that failed, by when that was known. The kubelet tries again. */
  readonly failures: readonly Readonly<{ at: number; error: unknown }>[];
  /** A machine comes up. Resolves once its kubelet runs, whether or not it reaches the API server. A played one renews within 10 s after `from`. */
  start(name: string, from?: number): Promise<void>;
  /** The machine is gone, and its kubelet with it; what it left in the API server stays. */
  end(name: string): Promise<void>;
  /** These, or all of them, are there, and say nothing until they are healed. */
  cutOff(names?: readonly string[]): void;
  heal(names?: readonly string[]): void;
  /** Whether each has joined and renewed its lease since. */
  haveRenewed(): Promise<boolean>;
  /** Ends all of them for good. */
  stop(): Promise<void>;
}

const namespace = 'kube-node-lease';
const nodeLeases: string = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

/** A node with its lease, as a kubelet that comes makes them; what it made before it was cut off stays as it is. `ahead`: see `PlayedKubelets`. */
export async function joinNode(server: RealApiServer, name: string, ahead?: number): Promise<void> {
  const { status, ...node } = nodeObject(name, Date.now());
  await server.call('POST', '/api/v1/nodes', node, [409]);
  await server.call('PATCH', `/api/v1/nodes/${name}/status`, { status });
  await server.call('POST', nodeLeases, ownerlessLease(name, ahead), [409]);
}

/** A lease as a kubelet makes it, but for its owner: one without uid would have it collected as garbage. */
export function ownerlessLease(name: string, ahead = 0): V1Lease {
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: new V1MicroTime(Date.now() + ahead) };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec };
}
