import { randomBytes } from 'node:crypto';
import type { ListPromise, V1Deployment, V1StatefulSet } from '@kubernetes/client-node';
import { mergePatch, tolerating } from '@dwd/lab/real/operator-client.ts';
import { follow, type Stored } from '@dwd/lab/real/follow.ts';
import type { Cluster } from '@dwd/lab/test/support/cluster.ts';
import { roleOf, type PlayedPods } from '@dwd/lab/real/played-pods.ts';

type Workload = Readonly<{ kind: 'Deployment' | 'StatefulSet'; item: Stored<V1Deployment | V1StatefulSet> }>;

/**
 * The controllers of Deployments and StatefulSets of one namespace, where no real ones run: as many pods as they want,
 * and a status that says how many are ready. Pods are told apart by their label `role`.
 */
export class PlayedWorkloads {
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #pods: PlayedPods;
  readonly #workloads = new Map<string, Workload>();
  readonly #written = new Map<string, string>();
  #again = false;
  #busy = false;
  readonly #signal: AbortSignal;

  constructor(cluster: Cluster, namespace: string, pods: PlayedPods, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#namespace = namespace;
    this.#pods = pods;
    this.#signal = signal;
    const { apps } = cluster.operator;
    const followKind = (kind: Workload['kind'], plural: string, list: ListPromise<V1Deployment | V1StatefulSet>) => {
      const changed = (item: Workload['item']) => {
        this.#workloads.set(`${kind}/${item.metadata.name}`, { kind, item });
        this.look();
      };
      const deleted = (item: Workload['item']) => this.#workloads.delete(`${kind}/${item.metadata.name}`);
      follow(cluster.operator, `/apis/apps/v1/namespaces/${namespace}/${plural}`, list, { changed, deleted }, signal);
    };
    followKind('Deployment', 'deployments', () => apps.listNamespacedDeployment({ namespace }));
    followKind('StatefulSet', 'statefulsets', () => apps.listNamespacedStatefulSet({ namespace }));
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
      for (const [key, workload] of this.#workloads) await this.#lookAt(key, workload);
    }
  }

  async #lookAt(key: string, { kind, item }: Workload): Promise<void> {
    const { name, uid, generation } = item.metadata;
    const pods = this.#pods.of(roleOf(item));
    const wanted = item.spec?.replicas ?? 1;
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
      const { apps } = this.#cluster.operator;
      const written = { namespace: this.#namespace, name, body: { status } };
      await tolerating<unknown>(
        [404],
        kind === 'Deployment'
          ? apps.patchNamespacedDeploymentStatus(written, mergePatch)
          : apps.patchNamespacedStatefulSetStatus(written, mergePatch),
      );
    }
    for (const { item: pod } of pods.slice(wanted)) await this.#pods.remove(pod);
    for (let missing = wanted - pods.length; missing > 0; missing--)
      await this.#pods.create(`${name}-${randomBytes(3).toString('hex')}`, roleOf(item), { kind, name, uid });
  }
}
