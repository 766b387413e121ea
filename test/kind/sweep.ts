import { setTimeout as pause } from 'node:timers/promises';
import { scenarioLabel, tolerating, type OperatorClient } from '@dwd/lab/real/operator-client.ts';
import type { Cluster } from '@dwd/lab/test/support/cluster.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const leftovers = { labelSelector: scenarioLabel };

/** The kinds of objects that scenarios create outside of namespaces of their own. */
const kindsSwept: readonly Readonly<{ apiVersion: string; kind: string; namespace?: string }>[] = [
  { apiVersion: 'extensions.gardener.cloud/v1alpha1', kind: 'Cluster' },
  { apiVersion: 'v1', kind: 'Node' },
  { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'kube-node-lease' },
  { apiVersion: rbac, kind: 'ClusterRoleBinding' },
  { apiVersion: rbac, kind: 'ClusterRole' },
  { apiVersion: rbac, kind: 'RoleBinding', namespace: 'kube-node-lease' },
  { apiVersion: rbac, kind: 'Role', namespace: 'kube-node-lease' },
  { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'kube-system' },
  { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
];

/** Takes everything away that scenarios of this or an earlier run left in a cluster; what is not theirs stays. */
export async function sweep({ operator }: Cluster): Promise<void> {
  const { core, objects } = operator;
  const none = undefined;
  for (const { apiVersion, kind, namespace } of kindsSwept) {
    const listing = objects.list(apiVersion, kind, namespace, none, none, none, none, scenarioLabel);
    const left = await tolerating([404], listing);
    for (const { metadata = {} } of left?.items ?? [])
      await tolerating([404], objects.delete({ apiVersion, kind, metadata }));
  }
  for (const { metadata } of (await core.listNamespace(leftovers)).items)
    await removeNamespace(operator, metadata?.name ?? '');
}

/** Deletes a namespace, and its pods at once, because their kubelet no longer runs. */
export async function removeNamespace({ core }: OperatorClient, name: string): Promise<void> {
  await tolerating([404, 409], core.deleteNamespace({ name }));
  await tolerating([404], core.deleteCollectionNamespacedPod({ namespace: name, gracePeriodSeconds: 0 }));
}

/** Waits until what was swept is gone; namespaces never go where no controllers run. */
export async function swept({ operator: { core, definitions } }: Cluster): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const namespaces = await core.listNamespace(leftovers);
    const kinds = await definitions.listCustomResourceDefinition(leftovers);
    if (namespaces.items.length + kinds.items.length === 0) return;
    await pause(200);
  }
  throw new Error('the namespaces and kinds of an earlier run are still there after two minutes');
}
