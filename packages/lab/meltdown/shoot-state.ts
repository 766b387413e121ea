import type { KubernetesListObject, KubernetesObject } from '@kubernetes/client-node';
import { gardenerKinds } from '../real/custom-kinds.ts';
import type { RealApiServer } from '../real/api-server.ts';

const [, machineKind] = gardenerKinds;

type Machine = KubernetesObject & Readonly<{ status?: { currentStatus?: { phase?: string } } }>;

/** The things of a shoot that must be the same after an outage as before. Each has a name, and its state as text. */
export type ShootState = ReadonlyMap<string, string>;

const ready = 'Ready True';

/**
 * Replicas and annotations of the Deployments, Machines to the last write, whether the nodes are ready and have no taint. `replaceable`: real
 * Machines may be others afterwards, which is counted elsewhere; then Machines and nodes have numbers for names.
 */
export async function readShootState(
  seed: RealApiServer,
  namespace: string,
  shoot: RealApiServer,
  replaceable = false,
): Promise<ShootState> {
  const [deployments, machines, nodes] = await Promise.all([
    seed.operator.apps.listNamespacedDeployment({ namespace }),
    listMachines(seed, namespace),
    shoot.operator.core.listNode(),
  ]);
  return new Map([
    ...deployments.items.map(({ metadata, spec, status }): [string, string] => [
      `${metadata?.name}`,
      `${status?.readyReplicas ?? 0} of ${spec?.replicas} ready, annotations ${JSON.stringify(metadata?.annotations ?? {})}`,
    ]),
    ...machines.map(({ metadata, status }, index): [string, string] =>
      replaceable
        ? [`Machine ${index + 1}`, `${status?.currentStatus?.phase}`]
        : [`Machine ${metadata?.name}`, `${metadata?.uid} at ${metadata?.resourceVersion}`],
    ),
    ...nodes.items.map(({ metadata, spec, status }, index): [string, string] => {
      const conditions = `Ready ${status?.conditions?.find(({ type }) => type === 'Ready')?.status}`;
      const taints = JSON.stringify(spec?.taints?.map(({ key }) => key) ?? []);
      return replaceable
        ? [`node ${index + 1}`, `${conditions}, taints ${taints}`]
        : [`node ${metadata?.name}`, `${metadata?.uid}, ${conditions}, taints ${taints}`];
    }),
  ]);
}

export async function listMachines(seed: RealApiServer, namespace: string): Promise<readonly Machine[]> {
  const list = seed.operator.custom.listNamespacedCustomObject({ ...machineKind, namespace });
  return ((await list) as KubernetesListObject<Machine>).items;
}

/** Whether every node is ready and every real Machine runs. */
export function isWell(state: ShootState): boolean {
  return [...state].every(
    ([name, is]) =>
      (!name.startsWith('node ') || is.includes(ready)) && (!/^Machine \d+$/.test(name) || is === 'Running'),
  );
}

/** A sentence for each thing that is not what it was. */
export function changesOf(before: ShootState, after: ShootState): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name) ?? 'not there', after.get(name) ?? 'not there'];
    return was === is ? [] : [`${name} was ${was}, is ${is}`];
  });
}
