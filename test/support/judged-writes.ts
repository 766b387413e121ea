import type { Dependant } from '../../src/domain/prober/dependant.ts';
import { readResource } from '../../src/domain/prober/resource-view.ts';
import type { ShootNamespace } from '../../src/domain/names.ts';
import type { Instant, Millis } from '../../src/domain/time.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import { type ResourceKind, workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import type { Revision } from '@dwd/simulator/store/revision.ts';
import { comesBack, isLeftAlone, type DependantSeen } from '@dwd/testing/store-laws.ts';
import type { WeederConfig } from '../../src/domain/weeder/weeder-config.ts';
import type { Change } from '@dwd/simulator/store/collection.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { KubeObject } from '@dwd/simulator/store/kube-object.ts';
import { deletionFaults, isCrashLooping, selects, ServicesSeen } from '@dwd/simulator/workloads/deletion-law.ts';

/** A change that somebody wrote to a dependant's replicas or annotations, not to its status. */
export type DependantChange = Readonly<{
  at: Instant;
  shoot: ShootNamespace;
  name: string;
  /** Undefined if it was missing. */
  before: DependantSeen | undefined;
  /** Undefined if it is gone. */
  after: DependantSeen | undefined;
  /** The replicas of every dependant of the shoot at that moment; 0 if it is missing. */
  ready: Readonly<Record<string, number>>;
  byHand: boolean;
}>;

/** Collects all writes to the dependants of a seed, and checks them for what must never happen. */
export class DependantChanges {
  readonly all: DependantChange[] = [];
  /** S2, S5: writes that the prober never should have made. */
  readonly broken: string[] = [];
  /** Called with each change as it is stored, before its writer gets an answer. */
  onChange: (change: DependantChange) => void = () => undefined;
  #byHand = false;

  constructor(seed: EmbeddedSeed, dependants: readonly Dependant[], now: () => Instant) {
    for (const { ref } of dependants) {
      const kind = seed.api.kindOf(ref.apiVersion, ref.kind);
      if (kind === undefined) continue;
      seed.api.storage.store.of(kind).onChange(({ type, revision, previous }) => {
        const { name, namespace: shoot = '' } = revision.object.metadata;
        if (name !== ref.name) return;
        const before = previous && see(kind, previous);
        const after = type === 'DELETED' ? undefined : see(kind, revision);
        if (!isWritten(before, after)) return;
        const state = (one: string) => seed.shoot(shoot).dependants.get(one);
        const ready = Object.fromEntries(dependants.map((one) => [one.ref.name, state(one.ref.name)?.ready ?? 0]));
        this.#take({ at: now(), shoot, name, before, after, ready, byHand: this.#byHand });
      });
    }
  }

  /** The writes of `work` are not the prober's. */
  byHand(work: () => void): void {
    this.#byHand = true;
    try {
      work();
    } finally {
      this.#byHand = false;
    }
  }

  /** The prober's changes. */
  get ours(): readonly DependantChange[] {
    return this.all.filter(({ byHand }) => !byHand);
  }

  /** `kube-controller-manager 2→0`, in order: how the prober changed the replicas. */
  scalings(shoot?: ShootNamespace): readonly string[] {
    return this.ours
      .filter((change) => shoot === undefined || change.shoot === shoot)
      .flatMap(({ name, before, after }) =>
        before?.replicas === after?.replicas ? [] : [`${name} ${before?.replicas}→${after?.replicas}`],
      );
  }

  #take(change: DependantChange): void {
    this.all.push(change);
    this.onChange(change);
    const { byHand, before, after, shoot, name, at } = change;
    if (byHand || before === undefined || after === undefined) return;
    const said = `${shoot}/${name} at ${at}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`;
    if (before.ignored && !isLeftAlone(before, after)) this.broken.push(`S2 ${said}`);
    if (!comesBack(after)) this.broken.push(`S5 ${said}`);
  }
}

function see(kind: ResourceKind, { object }: Revision): DependantSeen {
  const { marked, record, ignored } = readResource(object);
  return { replicas: workloadNumbers(kind, object).desired, marked, record, ignored };
}

function isWritten(before: DependantSeen | undefined, after: DependantSeen | undefined): boolean {
  if (before === undefined || after === undefined) return true;
  return (
    before.replicas !== after.replicas ||
    before.marked !== after.marked ||
    before.record !== after.record ||
    before.ignored !== after.ignored
  );
}

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
