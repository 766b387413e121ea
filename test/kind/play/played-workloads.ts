import { randomBytes } from 'node:crypto';
import type { Cluster, KubeItem } from '../cluster.ts';
import { roleOf, type PlayedPods } from './played-pods.ts';

type Plural = 'deployments' | 'statefulsets';

/**
 * The controllers of Deployments and StatefulSets of one namespace, where no real ones run: as many pods as they want,
 * and a status that says how many are ready. Pods are told apart by their label `role`.
 */
export class PlayedWorkloads {
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #pods: PlayedPods;
  readonly #workloads = new Map<string, Readonly<{ plural: Plural; item: KubeItem }>>();
  readonly #written = new Map<string, string>();
  #again = false;
  #busy = false;
  readonly #signal: AbortSignal;

  constructor(cluster: Cluster, namespace: string, pods: PlayedPods, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#namespace = namespace;
    this.#pods = pods;
    this.#signal = signal;
    for (const plural of ['deployments', 'statefulsets'] as const) {
      const told = (type: string, item: KubeItem) => {
        const key = `${plural}/${item.metadata.name}`;
        if (type === 'DELETED') this.#workloads.delete(key);
        else this.#workloads.set(key, { plural, item });
        this.look();
      };
      void cluster.watch(`/apis/apps/v1/namespaces/${namespace}/${plural}`, { told }, signal);
    }
  }

  /** To be called whenever a pod has changed. */
  look(): void {
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    this.#lookAll()
      .catch((error: unknown) => {
        if (!this.#signal.aborted) process.stderr.write(`the played controllers: ${String(error)}\n`);
      })
      .finally(() => {
        this.#busy = false;
        if (this.#again && !this.#signal.aborted) this.look();
      });
  }

  async #lookAll(): Promise<void> {
    while (this.#again && !this.#signal.aborted) {
      this.#again = false;
      for (const [key, { plural, item }] of this.#workloads) await this.#lookAt(key, plural, item);
    }
  }

  async #lookAt(key: string, plural: Plural, item: KubeItem): Promise<void> {
    const { name, generation } = item.metadata;
    const pods = this.#pods.of(roleOf(item));
    const wanted = Number(item.spec?.['replicas'] ?? 1);
    const ready = pods.filter(({ state }) => state === 'ready').length;
    const status = {
      observedGeneration: generation,
      replicas: pods.length,
      updatedReplicas: pods.length,
      readyReplicas: ready,
      availableReplicas: ready,
    };
    if (this.#written.get(key) !== JSON.stringify(status)) {
      this.#written.set(key, JSON.stringify(status));
      const path = `/apis/apps/v1/namespaces/${this.#namespace}/${plural}/${name}/status`;
      await this.#cluster.call('PATCH', path, { status }, [404]);
    }
    for (const { item: pod } of pods.slice(wanted)) await this.#pods.remove(pod);
    for (let missing = wanted - pods.length; missing > 0; missing--)
      await this.#pods.create(`${name}-${randomBytes(3).toString('hex')}`, roleOf(item));
  }
}
