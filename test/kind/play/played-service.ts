import type { Cluster } from '../cluster.ts';
import { apply } from '../apply.ts';

/** A service without a selector, whose EndpointSlices are the test's to write. */
export class PlayedService {
  readonly name: string;
  readonly #cluster: Cluster;
  readonly #slices: string;
  readonly #written = new Map<string, string>();
  #writing: Promise<void> = Promise.resolve();

  private constructor(cluster: Cluster, namespace: string, name: string) {
    this.name = name;
    this.#cluster = cluster;
    this.#slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  }

  static async add(cluster: Cluster, namespace: string, name: string): Promise<PlayedService> {
    const spec = { clusterIP: 'None', ports: [{ name: 'https', port: 443 }] };
    await apply(cluster, `/api/v1/namespaces/${namespace}/services`, { metadata: { name }, spec });
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
    const path = `${this.#slices}/${name}`;
    if ((await this.#cluster.call('PATCH', path, { endpoints }, [404])) !== undefined) return;
    await apply(this.#cluster, this.#slices, {
      metadata: { name, labels: { 'kubernetes.io/service-name': this.name } },
      addressType: 'IPv4',
      endpoints,
      ports: [{ name: 'https', port: 443 }],
    });
  }
}
