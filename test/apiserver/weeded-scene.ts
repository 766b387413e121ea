import { crashLoopingContainer, podObject, runningContainer } from '../../src/simulator/workloads/pod-objects.ts';
import { sliceObject } from '../../src/simulator/workloads/slice-objects.ts';
import type { PodRef } from '../../src/domain/weeder/pod-view.ts';
import type { RealApiServer } from '../../hack/real/api-server.ts';

/** Pods and EndpointSlices of one namespace of a real seed, which stay as they are put: no controller and no kubelet does anything. */
export class WeededScene {
  readonly #seed: RealApiServer;
  readonly #root: string;
  readonly #namespace: string;

  constructor(seed: RealApiServer, namespace: string) {
    this.#seed = seed;
    this.#namespace = namespace;
    this.#root = `/api/v1/namespaces/${namespace}`;
  }

  async enter(): Promise<void> {
    await this.#seed.call('POST', '/api/v1/namespaces', { metadata: { name: this.#namespace } }, [409]);
  }

  async addPod(name: string, labels: Readonly<Record<string, string>>, loops: boolean): Promise<PodRef> {
    // On no node, so that its deletion waits for no kubelet.
    const { metadata, spec } = podObject({ ...this.#pod(name, loops), labels, nodeName: '' });
    const { body } = await this.#seed.call('POST', `${this.#root}/pods`, { metadata, spec });
    await this.turnPod(name, loops);
    return { name, uid: (body['metadata'] as PodRef).uid };
  }

  /** Its container crash-loops from now on, or runs. */
  async turnPod(name: string, loops: boolean): Promise<void> {
    const { status } = podObject(this.#pod(name, loops));
    await this.#seed.call('PATCH', `${this.#root}/pods/${name}/status`, { status });
  }

  async pods(): Promise<readonly string[]> {
    const { body } = await this.#seed.call('GET', `${this.#root}/pods`);
    return (body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name).toSorted();
  }

  /** The service has one endpoint, ready or not. */
  async serve(service: string, ready: boolean): Promise<void> {
    const slices = `/apis/discovery.k8s.io/v1/namespaces/${this.#namespace}/endpointslices`;
    const endpoints = [{ address: '100.64.0.1', ready }];
    const slice = sliceObject({ name: `${service}-1`, namespace: this.#namespace, service, endpoints });
    const { status } = await this.#seed.call('GET', `${slices}/${service}-1`, undefined, [404]);
    if (status === 404) await this.#seed.call('POST', slices, slice);
    else await this.#seed.call('PATCH', `${slices}/${service}-1`, slice);
  }

  /** The reasons of the Kubernetes events of this namespace on a pod. */
  async eventsOn(pod: string): Promise<readonly string[]> {
    const { body } = await this.#seed.call('GET', `${this.#root}/events?fieldSelector=involvedObject.name=${pod}`);
    return (body['items'] as { reason: string }[]).map(({ reason }) => reason);
  }

  #pod(name: string, loops: boolean) {
    const now = Date.now();
    const containers = [loops ? crashLoopingContainer(name, now) : runningContainer(name, now)];
    return { name, namespace: this.#namespace, now, containers };
  }
}
