import type { DeletionAnswer } from '../../domain/weeder/deletion.ts';
import type { Millis } from '../../domain/time.ts';
import type { PodRef } from '../../domain/weeder/pod.ts';
import type { PodRemover } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { podsPath } from '../kube/paths.ts';

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
          body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions },
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
