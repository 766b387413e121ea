import { setTimeout as pause } from 'node:timers/promises';
import { gardenerKinds } from '../../hack/real/custom-kinds.ts';
import { grantingsOf, pathOf, type GrantFile } from '../../hack/real/gardener-rbac.ts';
import { apply, scenarioLabel } from './apply.ts';
import type { Cluster } from './cluster.ts';
import { defineKind } from './define-kind.ts';
import { addWorkload } from './play/add-workload.ts';
import { sweep, swept } from './sweep.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';

/**
 * Rejects where a cluster is somebody's seed already: a second prober would scale its shoots. What a killed run of ours left is
 * no reason. Changes nothing.
 */
export async function refuseOthersSeed(seed: Cluster): Promise<void> {
  const garden = await seed.find('/api/v1/namespaces/garden');
  if (garden === undefined) {
    for (const { group, version, plural } of gardenerKinds) {
      const path = `/apis/${group}/${version}/${plural}`;
      const served = await seed.call<{ items: unknown[] }>('GET', path, undefined, [404]);
      if ((served?.items ?? []).length > 0)
        throw new Error(`This cluster has ${plural}.${group} already: it may be a real seed. Take another one.`);
    }
    return;
  }
  if (garden.metadata.labels?.[scenarioLabel] === undefined)
    throw new Error('This cluster has a namespace "garden" of its own: it may be a real seed. Take another one.');
  const lease = await seed.find('/apis/coordination.k8s.io/v1/namespaces/garden/leases/dwd-prober-leader-election');
  // A clean end hands the lease back, so that a young one with a holder is that of a prober which runs.
  const { renewTime, holderIdentity } = (lease?.spec ?? {}) as Readonly<{
    renewTime?: string;
    holderIdentity?: string;
  }>;
  if (holderIdentity && Date.now() - Date.parse(renewTime ?? '') < 20_000)
    throw new Error('Another run of the scenarios is under way in this cluster.');
}

/**
 * Makes a seed of a cluster: Gardener's kinds, the namespace `garden`, the accounts of prober and weeder under Gardener's
 * grants, and what an operator adds who lists a StatefulSet and a custom resource as dependants.
 */
export async function furnishSeed(seed: Cluster): Promise<void> {
  // What a run left that was killed.
  await sweep(seed);
  await swept(seed);
  for (const kind of gardenerKinds) await defineKind(seed, kind);
  await apply(seed, '/api/v1/namespaces', { metadata: { name: 'garden' } });
  await grant(seed, 'seed/prober-rbac.yaml');
  await grant(seed, 'seed/weeder-rbac.yaml');
  await grantFurtherKinds(seed);
}

/** Makes a shoot of a cluster: the account of the probe under Gardener's grants. */
export async function furnishShoot(shoot: Cluster): Promise<void> {
  // The API server makes these two itself, some time after its start.
  for (const name of ['kube-system', 'kube-node-lease'])
    while ((await shoot.find(`/api/v1/namespaces/${name}`)) === undefined) await pause(100);
  await grant(shoot, 'shoot/rbac.yaml');
}

/** Rejects where nobody takes up a Deployment: a bare API server is no cluster. */
export async function expectControllers(seed: Cluster): Promise<void> {
  const deployments = '/apis/apps/v1/namespaces/garden/deployments';
  const name = 'scenario-are-controllers-there';
  await addWorkload(seed, 'garden', { kind: 'Deployment', name, role: name, replicas: 0 });
  for (let tries = 0; tries < 150; tries++) {
    const { status } = await seed.get(`${deployments}/${name}`);
    if (status?.['observedGeneration'] !== undefined) return;
    await pause(200);
  }
  throw new Error('No controller takes up a Deployment in this cluster: the scenarios need a kube-controller-manager.');
}

async function grant(cluster: Cluster, file: GrantFile): Promise<void> {
  for (const granting of grantingsOf(file)) await apply(cluster, pathOf(granting), granting);
}

async function grantFurtherKinds(seed: Cluster): Promise<void> {
  const verbs = ['get', 'list', 'watch', 'update', 'patch'];
  const name = 'dependency-watchdog-prober-further-kinds';
  await apply(seed, `${rbac}/clusterroles`, {
    metadata: { name },
    rules: [
      { apiGroups: ['apps'], resources: ['statefulsets', 'statefulsets/scale'], verbs },
      { apiGroups: ['scenario.example'], resources: ['autopilots', 'autopilots/scale'], verbs },
    ],
  });
  await apply(seed, `${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name: 'dependency-watchdog-prober', namespace: 'garden' }],
  });
}
