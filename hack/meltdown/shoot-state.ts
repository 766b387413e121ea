import type { KubernetesListObject, KubernetesObject } from '@kubernetes/client-node';
import { gardenerKinds } from '../real/custom-kinds.ts';
import type { RealApiServer } from '../real/api-server.ts';

const [, machineKind] = gardenerKinds;

/** The things of a shoot that must be the same after an outage as before. Each has a name, and its state as text. */
export type ShootState = ReadonlyMap<string, string>;

/** Replicas and annotations of the Deployments, Machines to the last write, whether the nodes are ready and have no taint. */
export async function readShootState(
  seed: RealApiServer,
  namespace: string,
  shoot: RealApiServer,
): Promise<ShootState> {
  const [deployments, machines, nodes] = await Promise.all([
    seed.operator.apps.listNamespacedDeployment({ namespace }),
    seed.operator.custom.listNamespacedCustomObject({ ...machineKind, namespace }) as Promise<
      KubernetesListObject<KubernetesObject>
    >,
    shoot.operator.core.listNode(),
  ]);
  return new Map([
    ...deployments.items.map(({ metadata, spec, status }): [string, string] => [
      `${metadata?.name}`,
      `${status?.readyReplicas ?? 0} of ${spec?.replicas} ready, annotations ${JSON.stringify(metadata?.annotations ?? {})}`,
    ]),
    ...machines.items.map(({ metadata }): [string, string] => [
      `Machine ${metadata?.name}`,
      `${metadata?.uid} at ${metadata?.resourceVersion}`,
    ]),
    ...nodes.items.map(({ metadata, spec, status }): [string, string] => {
      const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
      return [
        `node ${metadata?.name}`,
        `${metadata?.uid}, Ready ${ready}, taints ${JSON.stringify(spec?.taints?.map(({ key }) => key) ?? [])}`,
      ];
    }),
  ]);
}

/** A sentence for each thing that is not what it was. */
export function changesOf(before: ShootState, after: ShootState): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name) ?? 'not there', after.get(name) ?? 'not there'];
    return was === is ? [] : [`${name} was ${was}, is ${is}`];
  });
}
