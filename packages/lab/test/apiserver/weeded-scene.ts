import type { V1EndpointSlice, V1Pod } from '@kubernetes/client-node';
import { mergePatch, tolerating, type OperatorClient } from '../../real/operator-client.ts';
import { crashLoopingContainer, podObject, runningContainer } from '@dwd/simulator/workloads/pod-status.ts';
import { sliceObject } from '@dwd/simulator/workloads/service-slices.ts';
import type { PodRef } from 'dependency-watchdog/domain/weeder/pod.ts';
import type { RealApiServer } from '../../real/api-server.ts';

/** Pods and EndpointSlices of one namespace of a real seed, which stay as they are put: no controller and no kubelet does anything. */
export class WeededScene {
  readonly #operator: OperatorClient;
  readonly #namespace: string;

  constructor(seed: RealApiServer, namespace: string) {
    this.#operator = seed.operator;
    this.#namespace = namespace;
  }

  async enter(): Promise<void> {
    const body = { metadata: { name: this.#namespace } };
    await tolerating([409], this.#operator.core.createNamespace({ body }));
  }

  async addPod(name: string, labels: Readonly<Record<string, string>>, loops: boolean): Promise<PodRef> {
    // On no node, so that its deletion waits for no kubelet.
    const { metadata, spec } = podObject({ ...this.#pod(name, loops), labels, nodeName: '' });
    const body = { metadata, spec } as V1Pod;
    const made = await this.#operator.core.createNamespacedPod({ namespace: this.#namespace, body });
    await this.turnPod(name, loops);
    return { name, uid: made.metadata?.uid ?? '' };
  }

  /** Its container crash-loops from now on, or runs. */
  async turnPod(name: string, loops: boolean): Promise<void> {
    const { status } = podObject(this.#pod(name, loops));
    const of = { namespace: this.#namespace, name };
    await this.#operator.core.patchNamespacedPodStatus({ ...of, body: { status } }, mergePatch);
  }

  async pods(): Promise<readonly string[]> {
    const { items } = await this.#operator.core.listNamespacedPod({ namespace: this.#namespace });
    return items.map(({ metadata }) => metadata?.name ?? '').toSorted();
  }

  /** The service has one endpoint, ready or not. */
  async serve(service: string, ready: boolean): Promise<void> {
    const { discovery } = this.#operator;
    const namespace = this.#namespace;
    const name = `${service}-1`;
    const body = sliceObject({ name, namespace, service, endpoints: [{ address: '100.64.0.1', ready }] });
    const patched = discovery.patchNamespacedEndpointSlice({ namespace, name, body }, mergePatch);
    if ((await tolerating([404], patched)) === undefined)
      await discovery.createNamespacedEndpointSlice({ namespace, body: body as unknown as V1EndpointSlice });
  }

  /** The same, told by Endpoints alone. */
  async serveByEndpoints(service: string, ready: boolean): Promise<void> {
    const { core } = this.#operator;
    const of = { namespace: this.#namespace, name: service };
    const addresses = [{ ip: '100.64.0.1' }];
    const subsets = [ready ? { addresses } : { notReadyAddresses: addresses }];
    const patched = core.patchNamespacedEndpoints({ ...of, body: { subsets } }, mergePatch);
    if ((await tolerating([404], patched)) === undefined)
      await core.createNamespacedEndpoints({ ...of, body: { metadata: { name: service }, subsets } });
  }

  /** The reasons of the Kubernetes events of this namespace on a pod. */
  async eventsOn(pod: string): Promise<readonly string[]> {
    const fieldSelector = `involvedObject.name=${pod}`;
    const { items } = await this.#operator.core.listNamespacedEvent({ namespace: this.#namespace, fieldSelector });
    return items.map(({ reason }) => reason ?? '');
  }

  #pod(name: string, loops: boolean) {
    const now = Date.now();
    const containers = [loops ? crashLoopingContainer(name, now) : runningContainer(name, now)];
    return { name, namespace: this.#namespace, now, containers };
  }
}
