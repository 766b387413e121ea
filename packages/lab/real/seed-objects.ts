import { setTimeout as pause } from 'node:timers/promises';
import type { V1Deployment, V1Secret } from '@kubernetes/client-node';
import { secretNames, type ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { clusterObject, kubeconfigSecret, machineObject, workloadObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { RealApiServer } from './api-server.ts';
import { definitionOf, gardenerKinds, notServedYet, type CustomKind } from './custom-kinds.ts';
import { apply, mergePatch, tolerating, type OperatorClient } from './operator-client.ts';

const [clusterKind, machineKind] = gardenerKinds;

/** Any API server, as its administrator sees it. */
export type Operated = Readonly<{ operator: OperatorClient }>;

/** Defines the kinds of Gardener that the prober reads. Resolves once they are served. */
export async function defineKinds(server: Operated): Promise<void> {
  for (const kind of gardenerKinds) await defineKind(server, kind);
}

/** One that is there stays. */
export async function defineKind({ operator }: Operated, kind: CustomKind): Promise<void> {
  await apply(operator, definitionOf(kind));
  await served(operator, kind);
}

/** Resolves once the server that has taken a definition serves it. */
export async function served({ custom }: OperatorClient, kind: CustomKind): Promise<void> {
  while ((await tolerating(notServedYet, custom.listClusterCustomObject(kind))) === undefined) await pause(100);
}

/** Creates all objects of one shoot in the seed: namespace, Secrets, dependants, Machines, and last the Cluster. `kubeconfigOf`: by the Secret's name. */
export async function addShoot(
  seed: RealApiServer,
  shoot: string,
  config: ProberConfig,
  kubeconfigOf: (secret: string) => string,
  nodes: readonly string[],
  replicas = 1,
): Promise<void> {
  const { core, apps, custom } = seed.operator;
  await core.createNamespace({ body: { metadata: { name: shoot } } });
  for (const name of secretNames(config)) {
    const secret = kubeconfigSecret(shoot, name, kubeconfigOf(name)) as V1Secret;
    await core.createNamespacedSecret({ namespace: shoot, body: secret });
  }
  for (const { ref } of config.dependants) {
    const body = workloadObject(kinds.deployment, shoot, ref.name, replicas) as V1Deployment;
    await apps.createNamespacedDeployment({ namespace: shoot, body });
    await settle(seed, shoot, ref.name, replicas, 1);
  }
  for (const node of nodes) await addMachine(seed.operator, shoot, node);
  const body = { ...typeOf(clusterKind), ...clusterObject(shoot) };
  await custom.createClusterCustomObject({ ...clusterKind, body });
}

/** A Machine of a shoot, its status apart, as a real server wants it. */
export async function addMachine({ custom }: OperatorClient, namespace: string, node: string): Promise<void> {
  const { status, ...machine } = machineObject(namespace, node);
  const body = { ...typeOf(machineKind), ...machine };
  await custom.createNamespacedCustomObject({ ...machineKind, namespace, body });
  await setMachineStatus({ custom }, namespace, node, status);
}

/** As the machine-controller-manager writes it. */
export async function setMachineStatus(
  { custom }: Pick<OperatorClient, 'custom'>,
  namespace: string,
  node: string,
  status: unknown,
): Promise<void> {
  const place = { ...machineKind, namespace, name: `${namespace}-${node}` };
  await custom.patchNamespacedCustomObjectStatus({ ...place, body: { status } }, mergePatch);
}

function typeOf({ group, version, kind }: CustomKind) {
  return { apiVersion: `${group}/${version}`, kind };
}

/** Plays the Deployment controller and the kubelets of the seed for one Deployment. */
export async function settle(
  { operator }: RealApiServer,
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
  await operator.apps.patchNamespacedDeploymentStatus({ namespace, name, body: { status } }, mergePatch);
}
