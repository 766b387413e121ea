import { setTimeout as pause } from 'node:timers/promises';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import {
  clusterObject,
  kubeconfigSecret,
  machineObject,
  workloadObject,
} from '../../src/simulator/shoot/shoot-objects.ts';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import type { RealApiServer } from './api-server.ts';
import { definitionOf, definitions, gardenerKinds, notServedYet, servedAt } from './custom-kinds.ts';

const deployments = (namespace: string) => `/apis/apps/v1/namespaces/${namespace}/deployments`;

/** The kinds of Gardener that the prober reads, once they are served. */
export async function defineKinds(seed: RealApiServer): Promise<void> {
  for (const kind of gardenerKinds) {
    await seed.call('POST', definitions, definitionOf(kind));
    while ((await seed.call('GET', servedAt(kind), undefined, notServedYet)).status !== 200) await pause(100);
  }
}

/** Everything of one shoot that stands in the seed: namespace, Secret, dependants, Machines, and last the Cluster. */
export async function addShoot(
  seed: RealApiServer,
  shoot: string,
  config: ProberConfig,
  kubeconfig: string,
  nodes: readonly string[],
  replicas = 1,
): Promise<void> {
  await seed.call('POST', '/api/v1/namespaces', { metadata: { name: shoot } });
  await seed.call(
    'POST',
    `/api/v1/namespaces/${shoot}/secrets`,
    kubeconfigSecret(shoot, config.kubeConfigSecretName, kubeconfig),
  );
  for (const { ref } of config.dependants) {
    await seed.call('POST', deployments(shoot), workloadObject(kinds.deployment, shoot, ref.name, replicas));
    await settle(seed, shoot, ref.name, replicas, 1);
  }
  const machines = `/apis/machine.sapcloud.io/v1alpha1/namespaces/${shoot}/machines`;
  for (const node of nodes) {
    const { status, ...machine } = machineObject(shoot, node);
    const { body } = await seed.call('POST', machines, {
      apiVersion: 'machine.sapcloud.io/v1alpha1',
      kind: 'Machine',
      ...machine,
    });
    const { name } = body['metadata'] as { name: string };
    await seed.call('PATCH', `${machines}/${name}/status`, { status });
  }
  await seed.call('POST', '/apis/extensions.gardener.cloud/v1alpha1/clusters', {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    ...clusterObject(shoot),
  });
}

/** Plays the Deployment controller and the kubelets of the seed for one Deployment. */
export async function settle(
  seed: RealApiServer,
  namespace: string,
  name: string,
  replicas: number,
  generation: number,
): Promise<void> {
  const status = {
    observedGeneration: generation,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
  };
  await seed.call('PATCH', `${deployments(namespace)}/${name}/status`, { status });
}
