import type { V1DeleteOptions } from '@kubernetes/client-node';
import type { DeletionAnswer } from '../../domain/weeder/pod-ledger.ts';
import type { Millis } from '../../domain/time.ts';
import type { PodRef } from '../../domain/weeder/pod.ts';
import type { PodRemover } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { podsPath } from '../kube/paths.ts';
import { SeedHistory } from '../reflector/seed-history.ts';
import { filter, firstValueFrom, fromEvent, race, type Observable } from 'rxjs';

/**
 * By default the API server waits 10 s for a webhook that hangs, and then goes on. With a shorter time-out we would give the
 * deletion up just before it is done, each time.
 */
const patience: Millis = 15_000;

/** The resourceVersion in which a pod was last seen in CrashLoopBackOff; undefined where the last that was seen is something else. */
export type LoopingVersion = (namespace: string, pod: PodRef) => string | undefined;

/**
 * Deletes pods through the seed's API server, with the grace period that the pod itself asks for. What was seen may be minutes old. So the
 * version is a precondition too: a pod that has recovered unseen stays (SPEC 7.3). Without `versionOf` the incarnation alone counts.
 */
export function podRemover(client: KubeClient, versionOf?: LoopingVersion): PodRemover {
  return {
    async remove(namespace, { name, uid }, withdrawn) {
      const resourceVersion = versionOf?.(namespace, { name, uid });
      if (versionOf !== undefined && resourceVersion === undefined) return { outcome: 'withdrawn' };
      const preconditions = resourceVersion === undefined ? { uid } : { uid, resourceVersion };
      try {
        await client.request({
          method: 'DELETE',
          path: `${podsPath(namespace)}/${encodeURIComponent(name)}`,
          body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions } satisfies V1DeleteOptions,
          lane: 'urgent',
          timeout: patience,
          withdrawn,
        });
        return { outcome: 'deleted' };
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
        return answerOf(error);
      }
    },
  };
}

function answerOf(error: KubeError): DeletionAnswer {
  const { kind, status, reason, retryAfter, message: detail } = error;
  if (kind === 'withdrawn') return { outcome: 'withdrawn' };
  if (kind !== 'status') return { outcome: 'failed', reason: kind, detail };
  // A proxy that has lost its way to the API server also answers 404, but not in Kubernetes' form.
  if (status === 404 && reason === 'NotFound') return { outcome: 'gone' };
  if (status === 409 && error.precondition === 'uid') return { outcome: 'replaced' };
  if (status === 409) return { outcome: 'failed', reason: 'conflict', detail };
  if (status === 429) return { outcome: 'throttled', ...(retryAfter === undefined ? {} : { retryAfter }) };
  return { outcome: 'failed', reason: String(status), detail };
}

/** Incarnations that are remembered, some 100 bytes each: as many as are deleted in an hour while a whole seed fails. */
const longestMemory = 10_000;

/**
 * Deletes each incarnation only once, whichever service asks (S8): two services may have the same dependants. A caller that asks while
 * a deletion is under way waits for its answer, and tries again itself where it failed. Beyond `limit` the oldest incarnations
 * are forgotten. All are forgotten once the history of the seed went back, since that undoes deletions.
 */
export function oncePerIncarnation(
  remover: PodRemover,
  history: Pick<SeedHistory, 'timesBack'> = new SeedHistory(),
  limit: number = longestMemory,
): PodRemover {
  let { timesBack } = history;
  const deleted = new Set<string>();
  const underWay = new Map<string, Promise<DeletionAnswer>>();

  const removeNow: PodRemover['remove'] = async (namespace, pod, withdrawn) => {
    const asked = remover.remove(namespace, pod, withdrawn);
    const askedAt = history.timesBack;
    underWay.set(pod.uid, asked);
    try {
      const answer = await asked;
      if (answer.outcome === 'deleted' && history.timesBack === askedAt) deleted.add(pod.uid);
      const [oldest] = deleted;
      if (deleted.size > limit && oldest !== undefined) deleted.delete(oldest);
      return answer;
    } finally {
      underWay.delete(pod.uid);
    }
  };

  return {
    async remove(namespace, pod, withdrawn) {
      for (;;) {
        if (timesBack !== history.timesBack) deleted.clear();
        ({ timesBack } = history);
        if (deleted.has(pod.uid)) return { outcome: 'deletedBefore' };
        if (withdrawn.aborted) return { outcome: 'withdrawn' };
        const others = underWay.get(pod.uid);
        if (others === undefined) return removeNow(namespace, pod, withdrawn);
        await overOrWithdrawn(others, withdrawn);
      }
    },
  };
}

function overOrWithdrawn(others: Promise<unknown>, withdrawn: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      withdrawn.removeEventListener('abort', over);
      resolve();
    };
    withdrawn.addEventListener('abort', over);
    others.then(over, over);
  });
}

/**
 * Sends no deletion while the services are not followed: the one that a pod depends on may be down unseen (SPEC 7.2). What waits is not under
 * way, so the machine takes it back where the service turns out to be down, or its window ends.
 */
export function heldWhileBlind(remover: PodRemover, live$: Observable<boolean>): PodRemover {
  return {
    async remove(namespace, pod, withdrawn) {
      if (!withdrawn.aborted) await firstValueFrom(race(live$.pipe(filter(Boolean)), fromEvent(withdrawn, 'abort')));
      return remover.remove(namespace, pod, withdrawn);
    },
  };
}
