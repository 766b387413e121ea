import { isDeepStrictEqual } from 'node:util';
import { Observable, Subject } from 'rxjs';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { EmbeddedSeed } from '../../../embedded-seed.ts';
import { kinds } from '../../../store/embedded-kinds.ts';
import type { ControlPlanePod } from '../../../workloads/control-plane.ts';
import type { StoryEvent } from '../story/story.ts';
import {
  byStage,
  stages,
  type ControlPlaneModel,
  type Side,
  type Stage,
  type StageView,
} from './control-plane-model.ts';
import { serviceEvent, stageEvent } from './etcd-events.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { serviceKey, type ServiceKey, type ServiceRef } from 'dependency-watchdog/domain/weeder/service-ref.ts';
import { asObject, type KubeObject } from '../../../store/kube-object.ts';

export const etcdGroup = 'etcd-main';

/** The services that stages of the embedded control plane stand behind. */
const stageOfService: ReadonlyMap<string, Stage> = new Map([
  ['etcd-main-client', 'etcd'],
  ['kube-apiserver', 'apiServers'],
]);

/** The stage of a group of pods of the embedded control plane. */
export function stageOf(group: string): Stage {
  if (group === etcdGroup) return 'etcd';
  return group === 'kube-apiserver' ? 'apiServers' : 'controllers';
}

/** The stages of one control plane, out of its pods. */
export function stageViews(pods: readonly ControlPlanePod[]): Readonly<Record<Stage, StageView>> {
  return byStage((stage) => viewOf(pods.filter(({ group, ending }) => !ending && stageOf(group) === stage)));
}

function viewOf(pods: readonly ControlPlanePod[]): StageView {
  const waits = pods.flatMap(({ backOffUntil }) => backOffUntil ?? []);
  return {
    pods: pods.length,
    ready: pods.filter(({ ready }) => ready).length,
    crashLooping: pods.filter(({ crashLooping }) => crashLooping).length,
    backOffUntil: waits.length === 0 ? null : Math.max(...waits),
  };
}

/** The changes of the pods and services of a seed's control planes, as soon as they are stored. */
export function stageChanges(
  seed: EmbeddedSeed,
  side: Side,
  clock: Clock,
  times: ServiceTimes,
  model: () => ControlPlaneModel,
): Observable<StoryEvent> {
  return new Observable((observer) => {
    const known = new Map<ShootNamespace, Readonly<Record<Stage, StageView>>>(
      seed.controlPlanes.map(({ namespace, pods }) => [namespace, stageViews(pods)]),
    );
    const looking = new Set<ShootNamespace>();

    const look = (shoot: ShootNamespace): void => {
      looking.delete(shoot);
      const plane = seed.controlPlanes.find(({ namespace }) => namespace === shoot);
      const before = known.get(shoot);
      if (plane === undefined || before === undefined) return;
      const views = stageViews(plane.pods);
      known.set(shoot, views);
      for (const stage of stages)
        if (!isDeepStrictEqual(before[stage], views[stage]))
          observer.next(stageEvent(model(), clock.now(), { side, shoot, stage }, views[stage]));
    };

    observer.add(
      seed.api.storage.store.of(kinds.pod).onChange(({ revision }) => {
        const { namespace = '' } = revision.object.metadata;
        if (looking.has(namespace)) return;
        looking.add(namespace);
        // A change may consist of several writes. We look at it once all of them are done.
        queueMicrotask(() => look(namespace));
      }),
    );
    observer.add(
      times.changes$.subscribe(({ at, namespace, service, available }) => {
        const stage = stageOfService.get(service);
        if (stage !== undefined) observer.next(serviceEvent(model(), at, { side, shoot: namespace, stage }, available));
      }),
    );
  });
}

type ServiceChange = ServiceRef & Readonly<{ at: Instant; available: boolean }>;

const serviceLabel = 'kubernetes.io/service-name';

/** Since when each service of a seed has a ready endpoint. It reads the seed's EndpointSlices, and does not ask the weeder. */
export class ServiceTimes {
  readonly #seed: EmbeddedSeed;
  readonly #since = new Map<ServiceKey, Instant>();
  readonly #changes$ = new Subject<ServiceChange>();

  constructor(seed: EmbeddedSeed, clock: Clock) {
    this.#seed = seed;
    const slices = seed.api.storage.store.of(kinds.endpointSlice);
    for (const { object } of slices.list()) this.#weigh(object, clock.now());
    slices.onChange(({ revision }) => this.#weigh(revision.object, clock.now()));
  }

  get changes$(): Observable<ServiceChange> {
    return this.#changes$;
  }

  /** Null while the service is not available. */
  servingSince(of: ServiceRef): Instant | null {
    return this.#since.get(serviceKey(of)) ?? null;
  }

  #weigh({ metadata }: KubeObject, at: Instant): void {
    const { namespace = '', labels = {} } = metadata;
    const service = labels[serviceLabel];
    if (service === undefined) return;
    const key = serviceKey({ namespace, service });
    const available = this.#seed.api.storage.store
      .of(kinds.endpointSlice)
      .list(namespace)
      .some(({ object }) => object.metadata.labels?.[serviceLabel] === service && hasReady(object));
    if (available === this.#since.has(key)) return;
    if (available) this.#since.set(key, at);
    else this.#since.delete(key);
    this.#changes$.next({ at, namespace, service, available });
  }
}

function hasReady({ endpoints }: KubeObject): boolean {
  return Array.isArray(endpoints) && endpoints.some((one) => asObject(asObject(one)['conditions'])['ready'] !== false);
}
