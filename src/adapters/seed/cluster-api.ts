import { readCluster } from '../../domain/prober/cluster-reading.ts';
import type { Millis } from '../../domain/time.ts';
import type { Clock, ClusterApi } from '../../effects/ports.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { KubeError } from '../kube/kube-error.ts';
import { clustersPath } from '../kube/paths.ts';
import { withDeadline } from '../clock/deadline.ts';

/** Reads one Cluster by a GET, while the watch on Clusters cannot be relied on (SPEC 3.5). */
export function kubeClusterApi(client: KubeClient, clock: Clock): ClusterApi {
  return {
    async readCluster(shoot, deadlineAt, signal, by) {
      const path = `${clustersPath}/${encodeURIComponent(shoot)}`;
      try {
        const timeout = Math.max(0, Math.min(mostTime, deadlineAt - clock.now()));
        const object = await withDeadline(clock, deadlineAt, signal, (cut) =>
          client.request({ method: 'GET', path, lane: 'urgent', by, timeout, signal: cut }),
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

/** A scale-down waits for this answer, so a slow seed must not hold it up for longer. */
const mostTime: Millis = 3_000;

/** A seed that no longer serves Clusters also answers 404, in plain text or with another reason in its Status. */
function isGone({ status, reason, message }: KubeError): boolean {
  return status === 404 && reason === 'NotFound' && /clusters\.extensions\.gardener\.cloud "/.test(message);
}
