import type { V1Node } from '@kubernetes/client-node';
import { microTime } from '@dwd/simulator/store/kube-object.ts';
import { condition, nodeObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { ownerlessLease } from '../../real/played-kubelets.ts';
import { apply, mergePatch, tolerating, type OperatorClient } from '../../real/operator-client.ts';

const namespace = 'kube-node-lease';
const renewEvery = 10_000;
/** Three quarters of the grace (SPEC 5.1). */
const leaseLasts = 30_000;

/** Nodes without machines: objects, and kubelets as far as an API server sees them. */
export class StagedNodes {
  readonly names: readonly string[];
  /** Renewed together, so that each scenario is as quick as it can be. */
  readonly #renewedAt = new Map<string, number>();
  readonly #operator: OperatorClient;
  readonly #silent = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** One after the other: one that is on its way would come after what follows. */
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(operator: OperatorClient, names: readonly string[]) {
    this.#operator = operator;
    this.names = names;
  }

  static async join(operator: OperatorClient, names: readonly string[]): Promise<StagedNodes> {
    const nodes = new StagedNodes(operator, names);
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

  /** All of them, and their leases look as if they had been silent for an hour: nobody has to wait. */
  async cutOffLongAgo(): Promise<void> {
    this.cutOff();
    await this.#renew(this.names, Date.now() - 3_600_000);
  }

  /** They reach it again, and renew at once. */
  async heal(names: readonly string[] = this.names): Promise<void> {
    for (const name of names) this.#silent.delete(name);
    await this.#renewAll();
  }

  /** Somebody deletes a lease, whose kubelet does not make it anew. */
  async loseLease(name: string): Promise<void> {
    this.cutOff([name]);
    await this.#operator.coordination.deleteNamespacedLease({ namespace, name });
  }

  /** The kubelet makes it anew. */
  async regainLease(name: string): Promise<void> {
    await apply(this.#operator, ownerlessLease(name));
    await this.heal([name]);
  }

  async label(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
    await this.#operator.core.patchNode({ name, body: { metadata: { labels } } }, mergePatch);
  }

  /** Null takes the annotation away. */
  async annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    await this.#operator.core.patchNode({ name, body: { metadata: { annotations } } }, mergePatch);
  }

  async setCondition(name: string, type: string, status: 'True' | 'False'): Promise<void> {
    const { status: played } = nodeObject(name, Date.now()) as { status: { conditions: object[] } };
    const conditions = [...played.conditions, condition(type, status, 'Scenario', Date.now())];
    await this.#operator.core.patchNodeStatus({ name, body: { status: { conditions } } }, mergePatch);
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    const { coordination, core } = this.#operator;
    for (const name of this.names) {
      await tolerating([404], coordination.deleteNamespacedLease({ namespace, name }));
      await tolerating([404], core.deleteNode({ name }));
    }
  }

  async #create(name: string): Promise<void> {
    const { status, metadata, spec } = nodeObject(name, Date.now()) as Record<string, object>;
    // No pod of anybody else is to be scheduled to a node that nobody runs.
    const taints = [{ key: 'dependency-watchdog.gardener.cloud/scenario', effect: 'NoSchedule' }];
    await apply(this.#operator, { apiVersion: 'v1', kind: 'Node', metadata, spec: { ...spec, taints } } as V1Node);
    await this.#operator.core.patchNodeStatus({ name, body: { status } }, mergePatch);
    await apply(this.#operator, ownerlessLease(name));
  }

  #renewAll(): Promise<void> {
    return this.#renew(
      this.names.filter((name) => !this.#silent.has(name)),
      Date.now(),
    );
  }

  async #renew(names: readonly string[], at: number): Promise<void> {
    const body = { spec: { renewTime: microTime(at) } };
    const { coordination } = this.#operator;
    const renew = (name: string) => coordination.patchNamespacedLease({ namespace, name, body }, mergePatch);
    // A lease that was deleted stays deleted.
    const write = () => Promise.all(names.map((name) => tolerating([404], renew(name))));
    await (this.#writing = this.#writing.then(write, write));
    for (const name of names) this.#renewedAt.set(name, at);
  }
}
