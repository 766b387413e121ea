import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import { asObject, type JsonObject } from '@dwd/simulator/store/kube-object.ts';
import { objectKey, type Revision } from '@dwd/simulator/store/revision.ts';
import { createObject, replaceObject } from '@dwd/simulator/store/object-writes.ts';
import {
  crashLoopingContainer,
  podObject,
  runningContainer,
  podStatus,
  type ContainerRole,
} from '@dwd/simulator/workloads/pod-status.ts';
import { sliceObject } from '@dwd/simulator/workloads/service-slices.ts';

export type PlainPod = Readonly<{
  labels?: Readonly<Record<string, string>>;
  /** Which container waits in CrashLoopBackOff; null means none. By default it is the main one. */
  loops?: ContainerRole | null;
  /** What controls it; one of its own unless given. */
  owner?: Readonly<{ kind: string; name: string; uid: string }> | null;
}>;

/** Pods and EndpointSlices of a seed that stay as the test made them, until they end: nobody runs them. */
export class PlainDependants {
  readonly #seed: EmbeddedSeed;
  readonly #clock: Clock;

  constructor(seed: EmbeddedSeed, clock: Clock) {
    this.#seed = seed;
    this.#clock = clock;
  }

  /** Gives the service this slice, with an endpoint for each of these; undefined is an endpoint that says nothing about its readiness. */
  slice(namespace: string, service: string, ready: readonly (boolean | undefined)[], name = `${service}-1`): void {
    const { storage } = this.#seed.api;
    const endpoints = ready.map((one, index) => ({ address: `100.64.0.${index + 1}`, ready: one }));
    const draft = sliceObject({ name, namespace, service, endpoints });
    const current = storage.store.of(kinds.endpointSlice).get(objectKey(namespace, name));
    if (current === undefined) createObject(storage, kinds.endpointSlice, draft);
    else replaceObject(storage, kinds.endpointSlice, current, draft);
  }

  /** Tells of the service by Endpoints alone, with an address that is ready, or one that is not. */
  endpoints(namespace: string, service: string, ready: boolean): void {
    const { storage } = this.#seed.api;
    const addresses = [{ ip: '100.64.0.1' }];
    const draft = {
      metadata: { name: service, namespace },
      subsets: [ready ? { addresses } : { notReadyAddresses: addresses }],
    };
    const current = storage.store.of(kinds.endpoints).get(objectKey(namespace, service));
    if (current === undefined) createObject(storage, kinds.endpoints, draft);
    else replaceObject(storage, kinds.endpoints, current, draft);
  }

  removeSlice(namespace: string, name: string): void {
    this.#seed.api.storage.store.of(kinds.endpointSlice).remove(objectKey(namespace, name));
  }

  /** Makes a new pod, and gives its uid. */
  add(namespace: string, name: string, { labels = {}, loops = 'main', ...owned }: PlainPod = {}): string {
    const now = this.#clock.now();
    const containers = [loops === null ? runningContainer(name, now) : crashLoopingContainer(name, now, loops)];
    const draft = podObject({ name, namespace, now, labels, containers, ...owned });
    return createObject(this.#seed.api.storage, kinds.pod, draft).object.metadata.uid;
  }

  /** The pod's container crash-loops from now on, or runs. */
  turn(namespace: string, name: string, loops: boolean): void {
    const now = this.#clock.now();
    const containers = [loops ? crashLoopingContainer(name, now) : runningContainer(name, now)];
    const current = this.#pod(namespace, name);
    const status = podStatus({ containers, startedAt: now, now, ips: [], before: asObject(current.object['status']) });
    this.#put(current, { ...current.object, status });
  }

  /** The pod goes at once, without any grace. */
  remove(namespace: string, name: string): void {
    this.#seed.api.storage.store.of(kinds.pod).remove(objectKey(namespace, name));
  }

  /** `namespace/name` of the pods that are there, except those that are being deleted. */
  get left(): readonly string[] {
    return this.#seed.api.storage.store
      .of(kinds.pod)
      .list()
      .filter(({ object }) => object.metadata.deletionTimestamp === undefined)
      .map(({ key }) => key);
  }

  #pod(namespace: string, name: string): Revision {
    const found = this.#seed.api.storage.store.of(kinds.pod).get(objectKey(namespace, name));
    if (found === undefined) throw new Error(`there is no pod ${namespace}/${name}`);
    return found;
  }

  #put(current: Revision, next: JsonObject): void {
    replaceObject(this.#seed.api.storage, kinds.pod, current, next, 'status');
  }
}
