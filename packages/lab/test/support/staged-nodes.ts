import type { V1Node } from '@kubernetes/client-node';
import { microTime } from '@dwd/simulator/store/kube-object.ts';
import { condition, nodeObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { ownerlessLease } from '../../real/played-kubelets.ts';
import { mergePatch, tolerating } from '../../real/operator-client.ts';
import type { Cluster } from './cluster.ts';

const namespace = 'kube-node-lease';
const renewEvery = 10_000;
/** Three quarters of the grace (SPEC 5.1). */
const leaseLasts = 30_000;

/** Nodes without machines: objects, and kubelets as far as an API server sees them. */
export class StagedNodes {
  readonly names: readonly string[];
  /** Renewed together, so that each scenario is as quick as it can be. */
  readonly #renewedAt = new Map<string, number>();
  readonly #cluster: Cluster;
  readonly #silent = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(cluster: Cluster, names: readonly string[]) {
    this.#cluster = cluster;
    this.names = names;
  }

  static async join(cluster: Cluster, names: readonly string[]): Promise<StagedNodes> {
    const nodes = new StagedNodes(cluster, names);
    await Promise.all(names.map((name) => nodes.#create(name)));
    nodes.#timer = setInterval(() => void nodes.#renewAll(), renewEvery);
    await nodes.#renewAll();
    return nodes;
  }

  /** Every kubelet that is cut off is so for longer than its lease lasts. */
  get areExpired(): boolean {
    const now = Date.now();
    return [...this.#silent].every((name) => now > (this.#renewedAt.get(name) ?? 0) + leaseLasts);
  }

  /** These kubelets, by default all, no longer reach the API server. */
  cutOff(names: readonly string[] = this.names): void {
    for (const name of names) this.#silent.add(name);
  }

  /** They reach it again, and renew at once. */
  async heal(names: readonly string[] = this.names): Promise<void> {
    for (const name of names) this.#silent.delete(name);
    await this.#renewAll();
  }

  /** Somebody deletes a lease, whose kubelet does not make it anew. */
  async loseLease(name: string): Promise<void> {
    this.cutOff([name]);
    await this.#cluster.operator.coordination.deleteNamespacedLease({ namespace, name });
  }

  /** The kubelet makes it anew. */
  async regainLease(name: string): Promise<void> {
    await this.#cluster.apply(ownerlessLease(name));
    await this.heal([name]);
  }

  async label(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
    await this.#cluster.operator.core.patchNode({ name, body: { metadata: { labels } } }, mergePatch);
  }

  /** Null takes the annotation away. */
  async annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    await this.#cluster.operator.core.patchNode({ name, body: { metadata: { annotations } } }, mergePatch);
  }

  async setCondition(name: string, type: string, status: 'True' | 'False'): Promise<void> {
    const { status: played } = nodeObject(name, Date.now()) as { status: { conditions: object[] } };
    const conditions = [...played.conditions, condition(type, status, 'Scenario', Date.now())];
    await this.#cluster.operator.core.patchNodeStatus({ name, body: { status: { conditions } } }, mergePatch);
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer);
    const { coordination, core } = this.#cluster.operator;
    for (const name of this.names) {
      await tolerating([404], coordination.deleteNamespacedLease({ namespace, name }));
      await tolerating([404], core.deleteNode({ name }));
    }
  }

  async #create(name: string): Promise<void> {
    const { status, metadata, spec } = nodeObject(name, Date.now()) as Record<string, object>;
    // No pod of anybody else is to be scheduled to a node that nobody runs.
    const taints = [{ key: 'dependency-watchdog.gardener.cloud/scenario', effect: 'NoSchedule' }];
    await this.#cluster.apply({ apiVersion: 'v1', kind: 'Node', metadata, spec: { ...spec, taints } } as V1Node);
    await this.#cluster.operator.core.patchNodeStatus({ name, body: { status } }, mergePatch);
    await this.#cluster.apply(ownerlessLease(name));
  }

  async #renewAll(): Promise<void> {
    const now = Date.now();
    const reaching = this.names.filter((name) => !this.#silent.has(name));
    if (reaching.length === 0) return;
    const body = { spec: { renewTime: microTime(now) } };
    const { coordination } = this.#cluster.operator;
    const renew = (name: string) => coordination.patchNamespacedLease({ namespace, name, body }, mergePatch);
    // A lease that was deleted stays deleted.
    await Promise.all(reaching.map((name) => tolerating([404], renew(name))));
    for (const name of reaching) this.#renewedAt.set(name, now);
  }
}
