import type { DeletionAnswer } from '../../domain/weeder/deletion.ts';
import type { Millis } from '../../domain/time.ts';
import type { PodRemover } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';

/**
 * The API server itself gives up a webhook that hangs after 10 s, unless that says otherwise, and goes on: who does not wait so
 * long takes the deletion back just before it is done, each time.
 */
const patience: Millis = 15_000;

/** Deletes pods as the seed's API server does it: in the grace that the pod itself asks for (SPEC 7.3). */
export function podRemover(client: KubeClient): PodRemover {
  return {
    async remove(namespace, { name, uid }, withdrawn) {
      try {
        await client.request({
          method: 'DELETE',
          path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`,
          body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } },
          urgent: true,
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
  // A proxy that has lost its way to the API server says 404 as well, but not as Kubernetes does.
  if (status === 404 && reason === 'NotFound') return { outcome: 'gone' };
  if (status === 409 && error.precondition === 'uid') return { outcome: 'replaced' };
  if (status === 409) return { outcome: 'failed', reason: 'conflict', detail };
  if (status === 429) return { outcome: 'throttled', ...(retryAfter === undefined ? {} : { retryAfter }) };
  return { outcome: 'failed', reason: String(status), detail };
}
