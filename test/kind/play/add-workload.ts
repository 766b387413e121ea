import type { Cluster } from '../cluster.ts';
import { apply } from '../apply.ts';
import { labelsOf, podSpec } from './played-pods.ts';

type Workload = Readonly<{ kind: 'Deployment' | 'StatefulSet'; name: string; role: string; replicas: number }>;

/** A workload of a control plane, whose pods are of this role. */
export async function addWorkload(
  cluster: Cluster,
  namespace: string,
  { kind, name, role, replicas }: Workload,
): Promise<void> {
  await apply(cluster, `/apis/apps/v1/namespaces/${namespace}/${kind.toLowerCase()}s`, {
    metadata: { name, labels: { role } },
    spec: {
      replicas,
      selector: { matchLabels: { role } },
      template: { metadata: { labels: labelsOf(role) }, spec: podSpec },
      ...(kind === 'StatefulSet' ? { serviceName: name, podManagementPolicy: 'Parallel' } : {}),
    },
  });
}
