import type { V1Deployment, V1StatefulSet } from '@kubernetes/client-node';
import type { Cluster } from '../cluster.ts';
import { labelsOf, podSpec } from './played-pods.ts';

type Workload = Readonly<{ kind: 'Deployment' | 'StatefulSet'; name: string; role: string; replicas: number }>;

/** A workload of a control plane, whose pods are of this role. */
export async function addWorkload(
  cluster: Cluster,
  namespace: string,
  { kind, name, role, replicas }: Workload,
): Promise<void> {
  const workload: V1Deployment | V1StatefulSet = {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace, labels: { role } },
    spec: {
      replicas,
      selector: { matchLabels: { role } },
      template: { metadata: { labels: labelsOf(role) }, spec: podSpec },
      ...(kind === 'StatefulSet' ? { serviceName: name, podManagementPolicy: 'Parallel' } : {}),
    },
  };
  await cluster.apply(workload);
}
