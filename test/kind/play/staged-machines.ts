import { machineObject } from '../../../src/simulator/shoot/shoot-objects.ts';
import { gardenerKinds } from '../../../hack/real/custom-kinds.ts';
import { mergePatch } from '../../../hack/real/operator-client.ts';
import type { Cluster } from '../cluster.ts';

const [, machineKind] = gardenerKinds;

/** The Machines of a shoot, as the machine-controller-manager keeps them: the status apart, as a real server wants it. */
export class StagedMachines {
  readonly #seed: Cluster;
  readonly #namespace: string;

  constructor(seed: Cluster, namespace: string) {
    this.#seed = seed;
    this.#namespace = namespace;
  }

  async add(node: string): Promise<void> {
    const { status, ...machine } = machineObject(this.#namespace, node);
    await this.#seed.apply({
      apiVersion: `${machineKind.group}/${machineKind.version}`,
      kind: machineKind.kind,
      ...machine,
    });
    await this.#setStatus(node, status);
  }

  async setPhase(node: string, phase: string): Promise<void> {
    await this.#setStatus(node, { currentStatus: { phase } });
  }

  async #setStatus(node: string, status: unknown): Promise<void> {
    const place = { ...machineKind, namespace: this.#namespace, name: `${this.#namespace}-${node}` };
    await this.#seed.operator.custom.patchNamespacedCustomObjectStatus({ ...place, body: { status } }, mergePatch);
  }
}
