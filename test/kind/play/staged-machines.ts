import { machineObject } from '../../../src/simulator/shoot/shoot-objects.ts';
import { apply } from '../apply.ts';
import type { Cluster } from '../cluster.ts';

/** The Machines of a shoot, as the machine-controller-manager keeps them: the status apart, as a real server wants it. */
export class StagedMachines {
  readonly #seed: Cluster;
  readonly #namespace: string;
  readonly #path: string;

  constructor(seed: Cluster, namespace: string) {
    this.#seed = seed;
    this.#namespace = namespace;
    this.#path = `/apis/machine.sapcloud.io/v1alpha1/namespaces/${namespace}/machines`;
  }

  async add(node: string): Promise<void> {
    const { status, ...machine } = machineObject(this.#namespace, node);
    await apply(this.#seed, this.#path, { apiVersion: 'machine.sapcloud.io/v1alpha1', kind: 'Machine', ...machine });
    await this.#setStatus(node, status);
  }

  async setPhase(node: string, phase: string): Promise<void> {
    await this.#setStatus(node, { currentStatus: { phase } });
  }

  async #setStatus(node: string, status: unknown): Promise<void> {
    await this.#seed.call('PATCH', `${this.#path}/${this.#namespace}-${node}/status`, { status });
  }
}
