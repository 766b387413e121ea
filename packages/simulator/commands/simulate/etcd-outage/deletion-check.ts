import { Observable } from 'rxjs';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { WeederConfig } from 'dependency-watchdog/domain/weeder/weeder-config.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { EmbeddedSeed } from '../../../embedded-seed.ts';
import { kinds } from '../../../store/embedded-kinds.ts';
import type { KubeObject } from '../../../store/kube-object.ts';
import { objectKey } from '../../../store/revision.ts';
import {
  deletionFaults,
  isCrashLooping,
  selects,
  type DeletionFault,
  type DeletionSeen,
} from '../../../workloads/deletion-law.ts';
import type { Deletion as DeletedPod } from './etcd-events.ts';
import { stageOf, type ServiceTimes } from './stages.ts';

/** A deletion by the weeder, and when it was asked for. */
type Deletion = DeletedPod & Readonly<{ at: Instant }>;

export type DeletionCheck = Readonly<{
  seed: EmbeddedSeed;
  clock: Clock;
  config: WeederConfig;
  times: ServiceTimes;
  /** The user whose deletions are checked. */
  user: string;
  /** A deletion that was right when it was commanded arrives at most so much later. */
  slack: Millis;
}>;

/**
 * Every deletion by the weeder, checked at the seed against what stands there at that instant (S8), whatever the weeder
 * itself may think of it.
 */
export function deletionChanges({ seed, clock, config, times, user, slack }: DeletionCheck): Observable<Deletion> {
  const { api } = seed;
  const pods = api.storage.store.of(kinds.pod);
  const { services, watchDuration } = config;

  return new Observable((observer) => {
    const waitingSince = new Map<string, Instant>();
    const waitedUntil = new Map<string, Instant>();
    const deleted = new Set<string>();
    /** The deletion that the weeder asked for, until the seed has answered. */
    let asked: (Deletion & Readonly<{ uid: string }>) | undefined;

    const judge = (pod: KubeObject, at: Instant): Deletion => {
      const { name, namespace = '', uid, deletionTimestamp } = pod.metadata;
      const needed = services
        .filter((service) => selects(service, pod))
        .flatMap((service) => times.of({ namespace, service: service.name }) ?? []);
      const deletion = {
        at,
        loopedUntil: isCrashLooping(pod) ? at : (waitedUntil.get(uid) ?? -Infinity),
        ending: deletionTimestamp !== undefined,
        deletedBefore: deleted.has(uid),
        services: needed.map(({ upAt, downAt }) => ({ openedAt: upAt, downAt })),
      };
      const group = seed.controlPlanes
        .find((plane) => plane.namespace === namespace)
        ?.pods.find((one) => one.uid === uid)?.group;
      return {
        at,
        shoot: namespace,
        stage: group === undefined ? undefined : stageOf(group),
        pod: name,
        waitingSince: waitingSince.get(uid) ?? at,
        fault: deletionFault(deletion, { watchDuration, news: slack }),
      };
    };

    const stopListening = api.onRequest((access) => {
      const { verb, resource, namespace, name } = access;
      if (access.user !== user || verb !== 'delete' || resource !== 'pods') return;
      const pod = pods.get(objectKey(namespace, name))?.object;
      if (pod === undefined) return;
      const deletion = judge(pod, clock.now());
      // A pod that is ending already is not changed by it, so nobody would see the deletion.
      if (deleted.has(pod.metadata.uid) || pod.metadata.deletionTimestamp !== undefined) observer.next(deletion);
      else asked = { ...deletion, uid: pod.metadata.uid };
      // The seed answers before it does anything else; it refuses where the precondition does not hold.
      queueMicrotask(() => (asked = undefined));
    });

    observer.add(
      pods.onChange(({ type, revision, previous }) => {
        const { uid, deletionTimestamp } = revision.object.metadata;
        if (type === 'DELETED') {
          waitingSince.delete(uid);
          waitedUntil.delete(uid);
        } else if (isCrashLooping(revision.object)) {
          if (!waitingSince.has(uid)) waitingSince.set(uid, clock.now());
        } else if (waitingSince.delete(uid)) {
          waitedUntil.set(uid, clock.now());
        }
        const isNew = previous?.object.metadata.deletionTimestamp === undefined;
        if (asked?.uid !== uid || !isNew || (type !== 'DELETED' && deletionTimestamp === undefined)) return;
        deleted.add(uid);
        const { uid: _uid, ...deletion } = asked;
        asked = undefined;
        observer.next(deletion);
      }),
    );
    return stopListening;
  });
}

const faultWords: Readonly<Record<DeletionFault, string>> = {
  twice: 'was deleted twice',
  ending: 'was deleted while it was ending',
  'not crash-looping': 'was deleted while it did not crash-loop',
  'no service': 'was deleted outside of any window',
  'no window': 'was deleted outside of any window',
};

/** What was wrong with a deletion (S8), as the end of a sentence that begins with the pod; null for one that was right. */
export function deletionFault(seen: DeletionSeen, times: Parameters<typeof deletionFaults>[1]): string | null {
  const [worst] = deletionFaults(seen, times);
  return worst === undefined ? null : faultWords[worst];
}
