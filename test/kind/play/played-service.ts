import type { V1EndpointSlice, V1Service } from '@kubernetes/client-node';
import type { Cluster } from '@dwd/lab/test/support/cluster.ts';
import { mergePatch, tolerating } from '@dwd/lab/real/operator-client.ts';

/** A service without a selector, whose EndpointSlices are the test's to write. */
export class PlayedService {
  readonly name: string;
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #written = new Map<string, string>();
  #writing: Promise<void> = Promise.resolve();

  private constructor(cluster: Cluster, namespace: string, name: string) {
    this.name = name;
    this.#cluster = cluster;
    this.#namespace = namespace;
  }

  static async add(cluster: Cluster, namespace: string, name: string): Promise<PlayedService> {
    const spec = { clusterIP: 'None', ports: [{ name: 'https', port: 443 }] };
    const service: V1Service = { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec };
    await cluster.apply(service);
    return new PlayedService(cluster, namespace, name);
  }

  /** Its slices from now on, each with an endpoint for each of these: ready or not. One write after the other. */
  async write(slices: readonly (readonly boolean[])[]): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      for (const [index, ready] of slices.entries()) await this.#writeSlice(`${this.name}-${index + 1}`, ready);
    });
    await this.#writing;
  }

  async #writeSlice(name: string, ready: readonly boolean[]): Promise<void> {
    if (this.#written.get(name) === JSON.stringify(ready)) return;
    this.#written.set(name, JSON.stringify(ready));
    const endpoints = ready.map((one, index) => ({ addresses: [`10.1.1.${index + 1}`], conditions: { ready: one } }));
    const namespace = this.#namespace;
    const { discovery } = this.#cluster.operator;
    const patch = discovery.patchNamespacedEndpointSlice({ namespace, name, body: { endpoints } }, mergePatch);
    if ((await tolerating([404], patch)) !== undefined) return;
    const slice: V1EndpointSlice = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name, namespace, labels: { 'kubernetes.io/service-name': this.name } },
      addressType: 'IPv4',
      endpoints,
      ports: [{ name: 'https', port: 443 }],
    };
    await this.#cluster.apply(slice);
  }
}
