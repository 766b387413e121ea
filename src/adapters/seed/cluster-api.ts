import { readCluster } from '../../domain/prober/cluster-reading.ts';
import type { Millis } from '../../domain/time.ts';
import type { Clock, ClusterApi } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { withDeadline } from '../clock/deadline.ts';

/** One Cluster by a GET, while the stream of them tells nothing (SPEC 3.5). */
export function kubeClusterApi(client: KubeClient, clock: Clock): ClusterApi {
  return {
    async readCluster(shoot, deadlineAt, signal) {
      const path = `/apis/extensions.gardener.cloud/v1alpha1/clusters/${encodeURIComponent(shoot)}`;
      try {
        const timeout = Math.max(0, Math.min(mostTime, deadlineAt - clock.now()));
        const object = await withDeadline(clock, deadlineAt, signal, (cut) =>
          client.request({ method: 'GET', path, urgent: true, timeout, signal: cut }),
        );
        return { outcome: 'read', reading: readCluster(object) };
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
        if (isGone(error)) return { outcome: 'gone' };
        return { outcome: 'failed', detail: error.message };
      }
    },
  };
}

/** A way down waits for it, however slow the seed is. */
const mostTime: Millis = 3_000;

/** A seed that does not serve Clusters any more says 404 as well, in plain text or with another reason in its Status. */
function isGone({ status, reason, message }: KubeError): boolean {
  return status === 404 && reason === 'NotFound' && /clusters\.extensions\.gardener\.cloud "/.test(message);
}
