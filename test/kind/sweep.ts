import { setTimeout as pause } from 'node:timers/promises';
import { scenarioLabel } from './apply.ts';
import type { Cluster } from './cluster.ts';
import { definitions } from '../../hack/real/custom-kinds.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const selector = `?labelSelector=${encodeURIComponent(scenarioLabel)}`;

/** Takes everything away that scenarios of this or an earlier run left in a cluster; what is not theirs stays. */
export async function sweep(cluster: Cluster): Promise<void> {
  const collections = [
    '/apis/extensions.gardener.cloud/v1alpha1/clusters',
    '/api/v1/nodes',
    '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
    `${rbac}/clusterrolebindings`,
    `${rbac}/clusterroles`,
    `${rbac}/namespaces/kube-node-lease/rolebindings`,
    `${rbac}/namespaces/kube-node-lease/roles`,
    '/api/v1/namespaces/kube-system/serviceaccounts',
    definitions,
  ];
  for (const path of collections) await cluster.call('DELETE', `${path}${selector}`, undefined, [404]);
  for (const { metadata } of await cluster.list(`/api/v1/namespaces${selector}`))
    await removeNamespace(cluster, metadata.name);
}

/** Asks for the end of a namespace, and of its pods at once: nobody runs their kubelet any more. */
export async function removeNamespace(cluster: Cluster, name: string): Promise<void> {
  const path = `/api/v1/namespaces/${name}`;
  await cluster.call('DELETE', path, undefined, [404, 409]);
  await cluster.call('DELETE', `${path}/pods?gracePeriodSeconds=0`, undefined, [404]);
}

/** Waits until what was swept is gone; namespaces never go where no controllers run. */
export async function swept(cluster: Cluster): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const left = [
      ...(await cluster.list(`/api/v1/namespaces${selector}`)),
      ...(await cluster.list(definitions + selector)),
    ];
    if (left.length === 0) return;
    await pause(200);
  }
  throw new Error('the namespaces and kinds of an earlier run are still there after two minutes');
}
