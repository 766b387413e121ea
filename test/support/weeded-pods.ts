import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import type { Instant, Millis } from '../../src/domain/time.ts';
import type { Change } from '@dwd/simulator/store/collection.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { KubeObject } from '@dwd/simulator/store/kube-object.ts';
import { deletionFaults, isCrashLooping, selects, ServicesSeen } from '@dwd/simulator/workloads/deletion-law.ts';

/** A pod whose deletion the seed has accepted. */
export type WeededPod = Readonly<{ at: Instant; namespace: string; name: string; uid: string }>;

/** How long the weeder may need to learn what the seed knows. */
const usualLag: Millis = 1_000;

/** Collects every deletion of a pod that the seed has accepted, and judges it by the pod's state at that moment (S8). */
export class WeededPods {
  readonly all: WeededPod[] = [];
  /** S8: pods that never should have been deleted. */
  readonly broken: string[] = [];
  /** Longer if the test keeps news from the weeder. */
  lag: Millis = usualLag;
  /** Called with each deletion as it is stored, before its requester gets an answer. */
  onDeletion: (pod: WeededPod) => void = () => undefined;
  readonly #services = new ServicesSeen();
  /** A weeder without memory opens a window for every available service. */
  #startedAt: Instant = -Infinity;
  readonly #config: WeederConfig;
  readonly #now: () => Instant;
  /** When a pod was last seen in CrashLoopBackOff, by uid; Infinity while it is. */
  readonly #loopedUntil = new Map<string, Instant>();
  #byHand = false;

  constructor(seed: EmbeddedSeed, config: WeederConfig, now: () => Instant) {
    this.#config = config;
    this.#now = now;
    const { store } = seed.api.storage;
    store.of(kinds.pod).onChange((change) => this.#seePod(change));
    store
      .of(kinds.endpointSlice)
      .onChange(({ type, revision: { key, object } }) =>
        this.#services.note(key, type === 'DELETED' ? undefined : object, now()),
      );
  }

  /** The deletions of `work` are not the weeder's. */
  byHand(work: () => void): void {
    this.#byHand = true;
    try {
      work();
    } finally {
      this.#byHand = false;
    }
  }

  weederStarted(): void {
    this.#startedAt = this.#now();
  }

  names(namespace?: string): readonly string[] {
    return this.all.filter((pod) => namespace === undefined || pod.namespace === namespace).map(({ name }) => name);
  }

  #seePod({ type, revision: { object }, previous }: Change): void {
    const { uid, name, namespace = '', deletionTimestamp } = object.metadata;
    const isLeaving = type === 'DELETED' || deletionTimestamp !== undefined;
    const wasThere = previous !== undefined && previous.object.metadata.deletionTimestamp === undefined;
    const isLooping = !isLeaving && isCrashLooping(object);
    if (isLeaving && wasThere && !this.#byHand) {
      const pod = { at: this.#now(), namespace, name, uid };
      this.all.push(pod);
      this.onDeletion(pod);
      const { watchDuration } = this.#config;
      const faults = deletionFaults(this.#seen(pod, object), { watchDuration, news: this.lag });
      this.broken.push(...faults.map((fault) => `S8 ${namespace}/${name} (${uid}) at ${pod.at}: ${fault}`));
    }
    if (isLooping) this.#loopedUntil.set(uid, Infinity);
    else if (this.#loopedUntil.get(uid) === Infinity) this.#loopedUntil.set(uid, this.#now());
  }

  #seen({ at, namespace, uid }: WeededPod, object: KubeObject): Parameters<typeof deletionFaults>[0] {
    const services = this.#config.services
      .filter((service) => selects(service, object))
      .flatMap((service) => this.#services.get(namespace, service.name) ?? [])
      .map(({ upAt, downAt }) => ({ openedAt: Math.max(upAt, this.#startedAt), downAt }));
    return { at, loopedUntil: this.#loopedUntil.get(uid) ?? -Infinity, ending: false, deletedBefore: false, services };
  }
}
