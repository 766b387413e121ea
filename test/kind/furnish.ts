import { setTimeout as pause } from 'node:timers/promises';
import type { V1ClusterRole, V1ClusterRoleBinding } from '@kubernetes/client-node';
import { gardenerKinds } from '@dwd/lab/real/custom-kinds.ts';
import { furnishSeed } from '@dwd/lab/real/gardener-servers.ts';
import { scenarioLabel, tolerating } from '@dwd/lab/real/operator-client.ts';
import type { Cluster } from '@dwd/lab/test/support/cluster.ts';
import { addWorkload } from '@dwd/lab/real/control-plane.ts';
import { sweep, swept } from './sweep.ts';

/**
 * Rejects where a cluster is somebody's seed already: a second prober would scale its shoots. What a killed run of ours left is
 * no reason. Changes nothing.
 */
export async function refuseOthersSeed(seed: Cluster): Promise<void> {
  const { core, coordination, custom } = seed.operator;
  const garden = await tolerating([404], core.readNamespace({ name: 'garden' }));
  if (garden === undefined) {
    for (const kind of gardenerKinds) {
      const served = (await tolerating([404], custom.listClusterCustomObject(kind))) as
        | { items: unknown[] }
        | undefined;
      if ((served?.items ?? []).length > 0)
        throw new Error(
          `This cluster has ${kind.plural}.${kind.group} already: it may be a real seed. Take another one.`,
        );
    }
    return;
  }
  if (garden.metadata?.labels?.[scenarioLabel] === undefined)
    throw new Error('This cluster has a namespace "garden" of its own: it may be a real seed. Take another one.');
  const place = { namespace: 'garden', name: 'dwd-prober-leader-election' };
  const lease = await tolerating([404], coordination.readNamespacedLease(place));
  // A clean end releases the lease. So a young lease with a holder belongs to a running prober.
  const { renewTime, holderIdentity } = lease?.spec ?? {};
  // client-node passes micro times on as they are written, whatever its types say.
  if (holderIdentity && Date.now() - new Date(renewTime ?? 0).getTime() < 20_000)
    throw new Error('Another run of the scenarios is under way in this cluster.');
}

/** Makes a seed of a cluster that is nobody's, with what an operator adds who lists a StatefulSet and a custom resource as dependants. */
export async function furnishCluster(seed: Cluster): Promise<void> {
  // Objects that a killed run left behind.
  await sweep(seed);
  await swept(seed);
  await seed.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'garden' } });
  await furnishSeed(seed);
  await grantFurtherKinds(seed);
}

/** Rejects if no controller handles a Deployment: a bare API server is not a cluster. */
export async function expectControllers(seed: Cluster): Promise<void> {
  const name = 'scenario-are-controllers-there';
  await addWorkload(seed.operator, 'garden', { kind: 'Deployment', name, role: name, replicas: 0 });
  for (let tries = 0; tries < 150; tries++) {
    const { status } = await seed.operator.apps.readNamespacedDeployment({ namespace: 'garden', name });
    if (status?.observedGeneration !== undefined) return;
    await pause(200);
  }
  throw new Error('No controller takes up a Deployment in this cluster: the scenarios need a kube-controller-manager.');
}

async function grantFurtherKinds(seed: Cluster): Promise<void> {
  const verbs = ['get', 'list', 'watch', 'update', 'patch'];
  const name = 'dependency-watchdog-prober-further-kinds';
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const role: V1ClusterRole = {
    apiVersion,
    kind: 'ClusterRole',
    metadata: { name },
    rules: [
      { apiGroups: ['apps'], resources: ['statefulsets', 'statefulsets/scale'], verbs },
      { apiGroups: ['scenario.example'], resources: ['autopilots', 'autopilots/scale'], verbs },
    ],
  };
  const binding: V1ClusterRoleBinding = {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name: 'dependency-watchdog-prober', namespace: 'garden' }],
  };
  await seed.apply(role);
  await seed.apply(binding);
}
