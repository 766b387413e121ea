import type { Cluster, KubeItem } from '../cluster.ts';
import { apply } from '../apply.ts';
import { defineKind } from '../define-kind.ts';

const group = 'scenario.example';

/** A kind of an operator's own that can be scaled, and its controller in one namespace: what is wanted is so at once. */
export class PlayedAutopilots {
  static readonly groupPath = `/apis/${group}/v1`;
  readonly #path: string;
  readonly #cluster: Cluster;

  constructor(cluster: Cluster, namespace: string, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#path = `${PlayedAutopilots.groupPath}/namespaces/${namespace}/autopilots`;
    const told = (type: string, item: KubeItem) => {
      const replicas = item.spec?.['replicas'];
      if (type === 'DELETED' || item.status?.['replicas'] === replicas) return;
      cluster
        .call('PATCH', `${this.#path}/${item.metadata.name}/status`, { status: { replicas } }, [404])
        .catch((error: unknown) => process.stderr.write(`the played controller of autopilots: ${String(error)}\n`));
    };
    void cluster.watch(this.#path, { told }, signal);
  }

  /** Installs the kind. */
  static async define(cluster: Cluster): Promise<void> {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const named = { group, version: 'v1', kind: 'Autopilot', plural: 'autopilots' };
    await defineKind(cluster, { ...named, scope: 'Namespaced', subresources: { status: {}, scale } });
  }

  async add(name: string, replicas: number): Promise<void> {
    await apply(this.#cluster, this.#path, {
      apiVersion: `${group}/v1`,
      kind: 'Autopilot',
      metadata: { name },
      spec: { replicas },
    });
  }
}
