import { Observable, Subject } from 'rxjs';
import type { DeletionAnswer } from 'dependency-watchdog/domain/weeder/pod-ledger.ts';
import type { PodRef } from 'dependency-watchdog/domain/weeder/pod.ts';
import { serviceOf, type ServiceKey, type ServiceRef } from 'dependency-watchdog/domain/weeder/service-ref.ts';
import {
  mayHaveFailed,
  type SliceGap,
  isAvailable,
  type Slices,
} from 'dependency-watchdog/domain/weeder/service-slices.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Clock, PodNews, PodRemover, PodWatch, ServiceWatch } from 'dependency-watchdog/effects/ports.ts';
import type { ServiceEvent } from 'dependency-watchdog/machines/weeder-language.ts';
import { PodFollower, viewsOf, type SimEndpoint, type SimPod } from './weeder-watches.ts';

/**
 * What happens to a deletion. `lostDone` and `lostUndone` are never answered in time; `held` waits for the rate limit
 * until it is released, and can be taken back until then; `slow` is sent, and is carried out and answered when released.
 */
export type DeletionBehaviour =
  | 'fine'
  | 'throttled'
  | 'refused'
  | 'forbidden'
  | 'lostDone'
  | 'lostUndone'
  | 'held'
  | 'slow';

/** A deletion that was sent, and what the weeder could know when it was (S8). */
export type SentDeletion = Readonly<{
  at: Instant;
  namespace: string;
  pod: PodRef;
  /** The service was last said to be available, and its window was open. */
  withinWindow: boolean;
  /** The watch of such a service had shown the pod. */
  toldCrashLooping: boolean;
  /** A living weeder knew that this incarnation is deleted. */
  deletedBefore: boolean;
}>;

type Service = {
  slices: Map<string, readonly SimEndpoint[]>;
  /** Since it was last told. */
  written: boolean;
  told: Slices | undefined;
  heard: Heard | undefined;
};
/** What the listening machine knows about its service. */
type Heard = { slices: Slices; endsAt: Instant };

/** A request is on its way for this long, and its answer for this long again. */
const travelTime: Millis = 1;
const answerTime: Millis = 3;
const requestTimeout: Millis = 10_000;
/** The kubelet starts a container some times before it backs off. */
const firstBackOff: Millis = 8_000;

/**
 * Some namespaces of a seed, as far as the weeder's ports can tell, in memory and on any clock. Pods end gracefully and
 * are replaced as their controllers do it. The test switches faults on; none acts by itself.
 */
export class WeederWorld implements ServiceWatch, PodWatch, PodRemover {
  readonly sent: SentDeletion[] = [];
  deleting: DeletionBehaviour = 'fine';
  /** Pods are replaced under the same name, as a StatefulSet does it, or under another one; and the new ones begin to crash-loop. */
  replacements: Readonly<{ sameName: boolean; crash: boolean }> | 'none' = { sameName: false, crash: false };
  /** How long a pod takes to end. */
  grace: Millis = 2_000;
  /** How long the watches on pods lag behind. */
  lag: Millis = 0;
  readonly #services = new Map<ServiceKey, Service>();
  readonly #pods = new Map<string, SimPod>();
  readonly #followers = new Set<PodFollower>();
  readonly #deleted = new Set<string>();
  readonly #held = new Set<() => void>();
  readonly #told = new Subject<Readonly<{ service: ServiceKey; event: ServiceEvent }>>();
  readonly #sets = new Subject<ReadonlySet<ServiceKey>>();
  readonly #clock: Clock;
  readonly #watchDuration: Millis;
  #servicesWatched = true;
  #unseenSince: Instant = 0;
  #podsWatched = true;
  #uids = 0;

  constructor(clock: Clock, watchDuration: Millis) {
    this.#clock = clock;
    this.#watchDuration = watchDuration;
  }

  // Faults and changes that a test causes.

  /** All slices at once, as a list shows them; a service without slices does not exist. */
  setSlices(service: ServiceKey, slices: Readonly<Record<string, readonly SimEndpoint[]>>): void {
    const one = this.#serviceOf(service);
    one.slices = new Map(Object.entries(slices));
    one.written = true;
    this.#look(service, one);
  }

  /** One slice; without endpoints it is deleted, not empty. */
  setSlice(service: ServiceKey, name: string, endpoints: readonly SimEndpoint[] | undefined): void {
    const one = this.#serviceOf(service);
    if (endpoints === undefined) one.slices.delete(name);
    else one.slices.set(name, endpoints);
    one.written = true;
    this.#look(service, one);
  }

  addPod(namespace: string, name: string, labels: SimPod['labels']): Readonly<SimPod> {
    const pod = { namespace, name, uid: `uid-${++this.#uids}`, labels, crashing: [], ending: false };
    this.#pods.set(podKey(namespace, name), pod);
    return pod;
  }

  /** All pods, in the order in which they were created. */
  get pods(): readonly Readonly<SimPod>[] {
    return [...this.#pods.values()];
  }

  setCrashing(pod: Readonly<SimPod>, crashing: boolean, container = 'main'): void {
    this.#edit(pod, { crashing: crashing ? [container] : [] });
  }

  /** Gives the pod other labels, which other selectors match. */
  setLabels(pod: Readonly<SimPod>, labels: SimPod['labels']): void {
    this.#edit(pod, { labels });
  }

  /** Somebody else deletes it. */
  deletePod({ namespace, name, uid }: Readonly<SimPod>): void {
    this.#carryOut(namespace, { name, uid });
  }

  /** The pod goes at once, whatever its grace. */
  endPod(pod: Readonly<SimPod>): void {
    this.#end(pod);
  }

  breakServiceWatch(): void {
    if (this.#servicesWatched) this.#unseenSince = this.#clock.now();
    this.#servicesWatched = false;
  }

  /** Opens the watch anew: a list shows at once what was missed. */
  mendServiceWatch(): void {
    if (this.#servicesWatched) return;
    this.#servicesWatched = true;
    for (const [service, one] of this.#services) this.#look(service, one, { since: this.#unseenSince });
    this.#sets.next(this.#present());
  }

  breakPodWatches(): void {
    this.#podsWatched = false;
  }

  mendPodWatches(): void {
    if (this.#podsWatched) return;
    this.#podsWatched = true;
    for (const follower of this.#followers) follower.list(this.#pods.values());
  }

  /** Releases what is held or slow. */
  release(): void {
    for (const go of this.#held) go();
  }

  /** How many watches on pods are open, whatever their health. */
  get podWatches(): number {
    return this.#followers.size;
  }

  /** A living weeder now knows that this incarnation is deleted. False if one knew it before. */
  toldDeleted(uid: string): boolean {
    const isFirst = !this.#deleted.has(uid);
    this.#deleted.add(uid);
    return isFirst;
  }

  // ServiceWatch.

  get services$(): Observable<ReadonlySet<ServiceKey>> {
    return new Observable((observer) => {
      // A machine that begins anew knows only what a list shows.
      for (const one of this.#services.values()) one.told = undefined;
      const running = this.#sets.subscribe(observer);
      if (this.#servicesWatched) {
        for (const one of this.#services.values()) one.told = viewsOf(one.slices);
        observer.next(this.#present());
      }
      return running;
    });
  }

  events$(service: ServiceKey): Observable<ServiceEvent> {
    return new Observable((observer) => {
      const one = this.#serviceOf(service);
      one.heard = { slices: {}, endsAt: -Infinity };
      const running = this.#told.subscribe((told) => {
        if (told.service !== service) return;
        this.#hear(one, told.event);
        observer.next(told.event);
      });
      running.add(() => (one.heard = undefined));
      if (one.told !== undefined) {
        const event: ServiceEvent = { type: 'slices.changed', at: this.#clock.now(), slices: one.told };
        this.#hear(one, event);
        observer.next(event);
      }
      return running;
    });
  }

  // PodWatch.

  listAgain(): void {
    if (this.#podsWatched) for (const follower of this.#followers) follower.list(this.#pods.values());
  }

  pods$(of: ServiceRef, selectors: readonly string[]): Observable<PodNews> {
    return new Observable((observer) => {
      const follower = new PodFollower(of, selectors, (news) => observer.next(news));
      this.#followers.add(follower);
      const listed = this.#clock.wakeAt(this.#clock.now() + answerTime).subscribe(() => {
        if (this.#podsWatched) follower.list(this.#pods.values());
      });
      return () => {
        listed.unsubscribe();
        this.#followers.delete(follower);
      };
    });
  }

  // PodRemover.

  async remove(namespace: string, pod: PodRef, withdrawn: AbortSignal): Promise<DeletionAnswer> {
    const { deleting } = this;
    if (deleting === 'held') await this.#released(withdrawn);
    // A deletion that is released and withdrawn in the same instant is not sent.
    if (withdrawn.aborted) return { outcome: 'withdrawn' };
    this.#send(namespace, pod);
    await Promise.all([this.#after(travelTime, undefined), deleting === 'slow' ? this.#released() : undefined]);
    return this.#answerTo(deleting, namespace, pod);
  }

  #answerTo(deleting: DeletionBehaviour, namespace: string, pod: PodRef): Promise<DeletionAnswer> {
    switch (deleting) {
      case 'fine':
      case 'held':
      case 'slow':
        return this.#after(answerTime, this.#carryOut(namespace, pod));
      case 'throttled':
        return this.#after(answerTime, { outcome: 'throttled', retryAfter: 2_000 });
      case 'refused':
        return this.#after(answerTime, { outcome: 'failed', reason: '500', detail: 'etcd is away' });
      case 'forbidden':
        return this.#after(answerTime, { outcome: 'failed', reason: '403', detail: 'no' });
      case 'lostDone':
        this.#carryOut(namespace, pod);
        return this.#after(requestTimeout, { outcome: 'failed', reason: 'timeout', detail: 'no answer' });
      case 'lostUndone':
        return this.#after(requestTimeout, { outcome: 'failed', reason: 'timeout', detail: 'no answer' });
    }
  }

  #send(namespace: string, pod: PodRef): void {
    const now = this.#clock.now();
    const open = [...this.#services].filter(([key, { heard }]) => {
      const isOpen = heard !== undefined && isAvailable(heard.slices) && now <= heard.endsAt;
      return isOpen && serviceOf(key).namespace === namespace;
    });
    const keys = new Set(open.map(([key]) => key));
    this.sent.push({
      at: now,
      namespace,
      pod,
      withinWindow: keys.size > 0,
      toldCrashLooping: [...this.#followers].some((one) => keys.has(one.service) && one.knowsCrashLooping(pod)),
      deletedBefore: this.#deleted.has(pod.uid),
    });
  }

  /** Deletes as the API server does, with the UID as its precondition. */
  #carryOut(namespace: string, { name, uid }: PodRef): DeletionAnswer {
    const pod = this.#pods.get(podKey(namespace, name));
    if (pod === undefined) return { outcome: 'gone' };
    if (pod.uid !== uid) return { outcome: 'replaced' };
    if (pod.ending) return { outcome: 'deleted' };
    pod.ending = true;
    this.#tell(pod);
    this.#clock.wakeAt(this.#clock.now() + this.grace).subscribe(() => this.#end(pod));
    return { outcome: 'deleted' };
  }

  #end(pod: Readonly<SimPod>): void {
    const { namespace, name, labels } = pod;
    if (this.#pods.get(podKey(namespace, name)) !== pod) return;
    this.#pods.delete(podKey(namespace, name));
    this.#later(() => {
      for (const follower of this.#followers) follower.lose(pod);
    });
    if (this.replacements === 'none') return;
    const { sameName, crash } = this.replacements;
    const next = this.addPod(namespace, sameName ? name : `${labels['role']}-${this.#uids + 1}`, labels);
    if (crash) this.#clock.wakeAt(this.#clock.now() + firstBackOff).subscribe(() => this.setCrashing(next, true));
  }

  #edit({ namespace, name, uid }: Readonly<SimPod>, change: Partial<SimPod>): void {
    const pod = this.#pods.get(podKey(namespace, name));
    if (pod?.uid !== uid) return;
    Object.assign(pod, change);
    this.#tell(pod);
  }

  #tell(pod: SimPod): void {
    this.#later(() => {
      if (this.#pods.get(podKey(pod.namespace, pod.name)) === pod) for (const one of this.#followers) one.look(pod);
    });
  }

  #later(tell: () => void): void {
    const tellNow = () => {
      if (this.#podsWatched) tell();
    };
    if (this.lag === 0) tellNow();
    else this.#clock.wakeAt(this.#clock.now() + this.lag).subscribe(tellNow);
  }

  #hear(service: Service, event: ServiceEvent): void {
    const { heard } = service;
    if (heard === undefined) return;
    if (event.type === 'service.gone') {
      service.heard = { slices: {}, endsAt: -Infinity };
      return;
    }
    const { slices, gap, at } = event;
    const cameBack = isAvailable(slices) && !isAvailable(heard.slices);
    if (cameBack || mayHaveFailed(heard.slices, slices, gap, at)) heard.endsAt = at + this.#watchDuration;
    heard.slices = slices;
  }

  #serviceOf(key: ServiceKey): Service {
    const service = this.#services.get(key) ?? { slices: new Map(), written: false, told: undefined, heard: undefined };
    this.#services.set(key, service);
    return service;
  }

  /** Reports what changed of a service, if anybody watches. */
  #look(service: ServiceKey, one: Service, gap?: SliceGap): void {
    if (!this.#servicesWatched) return;
    const before = one.told;
    one.told = viewsOf(one.slices);
    const isTold = gap === undefined ? JSON.stringify(before) === JSON.stringify(one.told) : !one.written;
    one.written = false;
    if (isTold) return;
    const at = this.#clock.now();
    const changed = { type: 'slices.changed', at, ...(gap === undefined ? {} : { gap }) } as const;
    this.#told.next({
      service,
      event: one.told === undefined ? { type: 'service.gone', at } : { ...changed, slices: one.told },
    });
    if (before === undefined || one.told === undefined) this.#sets.next(this.#present());
  }

  #present(): ReadonlySet<ServiceKey> {
    return new Set([...this.#services].flatMap(([key, { told }]) => (told === undefined ? [] : [key])));
  }

  /** Or withdrawn. */
  #released(withdrawn?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        this.#held.delete(go);
        withdrawn?.removeEventListener('abort', go);
        resolve();
      };
      this.#held.add(go);
      withdrawn?.addEventListener('abort', go);
    });
  }

  #after<Value>(delay: Millis, value: Value): Promise<Value> {
    return new Promise((resolve) => {
      this.#clock.wakeAt(this.#clock.now() + delay).subscribe(() => resolve(value));
    });
  }
}

function podKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
