import { Observable } from 'rxjs';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { WeederConfig } from 'dependency-watchdog/domain/weeder/weeder-config.ts';
import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import { labelSelector } from '../../../api/selection.ts';
import type { EmbeddedSeed } from '../../../embedded-seed.ts';
import { kinds } from '../../../store/embedded-kinds.ts';
import { asObject, type KubeObject } from '../../../store/kube-object.ts';
import { objectKey } from '../../../store/revision.ts';
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
  const services = config.services.map(({ name, podSelectors }) => ({ name, picks: podSelectors.map(labelSelector) }));

  return new Observable((observer) => {
    const waitingSince = new Map<string, Instant>();
    const waitedUntil = new Map<string, Instant>();
    const deleted = new Set<string>();
    /** The deletion that the weeder asked for, until the seed has answered. */
    let asked: (Deletion & Readonly<{ uid: string }>) | undefined;

    const judge = (pod: KubeObject, at: Instant): Deletion => {
      const { name, namespace = '', uid, labels = {}, deletionTimestamp } = pod.metadata;
      const needed = services.filter(({ picks }) => picks.some((pick) => pick(labels)));
      const scene = {
        waitedUntil: isCrashLooping(pod) ? at : (waitedUntil.get(uid) ?? null),
        ending: deletionTimestamp !== undefined,
        deletedBefore: deleted.has(uid),
        servingSince: needed.map(({ name }) => times.servingSince({ namespace, service: name })),
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
        fault: deletionFault(scene, at, config.watchDuration, slack),
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

/** Read independently: a check that used the weeder's own reading would not see its mistakes. */
function isCrashLooping({ status }: KubeObject): boolean {
  const { containerStatuses, initContainerStatuses } = asObject(status);
  return [containerStatuses, initContainerStatuses]
    .flatMap((some) => (Array.isArray(some) ? (some as readonly unknown[]) : []))
    .some((one) => {
      const { restartCount, state } = asObject(one);
      const { waiting, terminated } = asObject(state);
      // All containers here are started again, and none of them is well for ten minutes and then fails.
      const hasFailedAgain = restartCount !== 0 && (asObject(terminated)['exitCode'] ?? 0) !== 0;
      return asObject(waiting)['reason'] === 'CrashLoopBackOff' || hasFailedAgain;
    });
}

/** The state of the seed when the weeder deleted a pod. */
export type DeletionScene = Readonly<{
  /** When it was last in CrashLoopBackOff: now, if it still is; null if it never was. */
  waitedUntil: Instant | null;
  ending: boolean;
  /** This very incarnation was deleted before. */
  deletedBefore: boolean;
  /** When each service that the pod depends on last became available; null if it is not available. */
  servingSince: readonly (Instant | null)[];
}>;

/**
 * What was wrong with a deletion (S8), as the end of a sentence that begins with the pod; null for one that was right.
 * `slack`: a deletion that was right when it was commanded arrives so much later at most.
 */
export function deletionFault(
  { waitedUntil, ending, deletedBefore, servingSince }: DeletionScene,
  at: Instant,
  watchDuration: Millis,
  slack: Millis,
): string | null {
  if (deletedBefore) return 'was deleted twice';
  if (ending) return 'was deleted while it was ending';
  if (waitedUntil === null || at - waitedUntil > slack) return 'was deleted while it did not crash-loop';
  const isInWindow = servingSince.some((since) => since !== null && at - since <= watchDuration + slack);
  return isInWindow ? null : 'was deleted outside of any window';
}
