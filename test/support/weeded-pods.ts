import { readPod } from '../../src/domain/weeder/pod.ts';
import { isAvailable, readSlice, type SliceView } from '../../src/domain/weeder/service-slices.ts';
import { serviceKey, serviceOf, type ServiceKey } from '../../src/domain/weeder/service-ref.ts';
import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import type { Instant, Millis } from '../../src/domain/time.ts';
import type { Change } from '@dwd/simulator/store/collection.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import { labelSelector } from '@dwd/simulator/api/selection.ts';

/** A pod whose deletion the seed has accepted. */
export type WeededPod = Readonly<{ at: Instant; namespace: string; name: string; uid: string }>;

type Readiness = Readonly<{ slices: Readonly<Record<string, SliceView>>; openedAt: Instant; downAt: Instant }>;

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
  readonly #services = new Map<ServiceKey, Readiness>();
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
    store.of(kinds.endpointSlice).onChange((change) => this.#seeSlice(change));
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

  /** A weeder without memory opens a window for every available service. */
  weederStarted(): void {
    for (const [key, known] of this.#services) this.#services.set(key, { ...known, openedAt: this.#now() });
  }

  names(namespace?: string): readonly string[] {
    return this.all.filter((pod) => namespace === undefined || pod.namespace === namespace).map(({ name }) => name);
  }

  #seePod({ type, revision, previous }: Change): void {
    const { uid, name, namespace = '', labels = {}, deletionTimestamp } = revision.object.metadata;
    const before = previous && readPod(previous.object)?.state;
    const isLooping = type !== 'DELETED' && readPod(revision.object)?.state === 'waiting';
    const isDeletion = before !== undefined && before !== 'ending' && (type === 'DELETED' || deletionTimestamp);
    if (isDeletion && !this.#byHand) {
      const pod = { at: this.#now(), namespace, name, uid };
      const said = `S8 ${namespace}/${name} (${uid}) at ${pod.at}`;
      this.all.push(pod);
      this.onDeletion(pod);
      if (!(this.#now() - (this.#loopedUntil.get(uid) ?? -Infinity) < this.lag)) this.broken.push(`${said}: ${before}`);
      if (!this.#isDependant(namespace, labels))
        this.broken.push(`${said}: no window is open that is concerned with it`);
    }
    if (isLooping) this.#loopedUntil.set(uid, Infinity);
    else if (this.#loopedUntil.get(uid) === Infinity) this.#loopedUntil.set(uid, this.#now());
  }

  #seeSlice({ type, revision }: Change): void {
    const { name, namespace = '' } = revision.object.metadata;
    const reading = readSlice(revision.object);
    if (reading === undefined) return;
    const key = serviceKey({ namespace, service: reading.service });
    const known: Readiness = this.#services.get(key) ?? { slices: {}, openedAt: -Infinity, downAt: -Infinity };
    const { [name]: _before, ...others } = known.slices;
    const slices = type === 'DELETED' ? others : { ...others, [name]: reading.view };
    const [was, is] = [isAvailable(known.slices), isAvailable(slices)];
    this.#services.set(key, {
      slices,
      openedAt: is && !was ? this.#now() : known.openedAt,
      downAt: was && !is ? this.#now() : known.downAt,
    });
  }

  #isDependant(namespace: string, labels: Readonly<Record<string, string>>): boolean {
    const { services, watchDuration } = this.#config;
    return [...this.#services].some(([key, { slices, openedAt, downAt }]) => {
      const { namespace: home, service } = serviceOf(key);
      const selectors = services.find(({ name }) => name === service)?.podSelectors ?? [];
      const isUp = isAvailable(slices) || this.#now() - downAt < this.lag;
      const isOpen = this.#now() < openedAt + watchDuration + this.lag;
      return home === namespace && isUp && isOpen && selectors.some((selector) => labelSelector(selector)(labels));
    });
  }
}
