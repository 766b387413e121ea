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
  type OutageStage,
  type StageView,
} from './control-plane-model.ts';
import { serviceEvent, stageEvent } from './etcd-events.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ServiceRef } from 'dependency-watchdog/domain/weeder/service-ref.ts';
import { ServicesSeen } from '../../../workloads/deletion-law.ts';

export const etcdGroup = 'etcd-main';

/** The services that stages of the embedded control plane stand behind. */
const stageOfService: ReadonlyMap<string, OutageStage> = new Map([
  ['etcd-main-client', 'etcd'],
  ['kube-apiserver', 'apiServers'],
]);

/** The stage of a group of pods of the embedded control plane. */
export function stageOf(group: string): OutageStage {
  if (group === etcdGroup) return 'etcd';
  return group === 'kube-apiserver' ? 'apiServers' : 'controllers';
}

/** The stages of one control plane, out of its pods. */
export function stageViews(pods: readonly ControlPlanePod[]): Readonly<Record<OutageStage, StageView>> {
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
    const known = new Map<ShootNamespace, Readonly<Record<OutageStage, StageView>>>(
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

/** Since when each service of a seed has a ready endpoint. It reads the seed's EndpointSlices, and does not ask the weeder. */
export class ServiceTimes {
  readonly #services = new ServicesSeen();
  readonly #changes$ = new Subject<ServiceChange>();

  constructor(seed: EmbeddedSeed, clock: Clock) {
    const slices = seed.api.storage.store.of(kinds.endpointSlice);
    for (const { key, object } of slices.list()) this.#services.note(key, object, clock.now());
    slices.onChange(({ type, revision: { key, object } }) => {
      const at = clock.now();
      const changed = this.#services.note(key, type === 'DELETED' ? undefined : object, at);
      if (changed === undefined) return;
      const { namespace, name: service, downAt } = changed;
      this.#changes$.next({ at, namespace, service, available: downAt === Infinity });
    });
  }

  get changes$(): Observable<ServiceChange> {
    return this.#changes$;
  }

  /** Undefined for one without any slice. */
  of({ namespace, service }: ServiceRef): Readonly<{ upAt: Instant; downAt: Instant }> | undefined {
    return this.#services.get(namespace, service);
  }
}
