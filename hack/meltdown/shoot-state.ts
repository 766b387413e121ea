import type { RealApiServer } from '../real/api-server.ts';

/** What of a shoot must be after an outage what it was before; each thing by its name, as text. */
export type ShootState = ReadonlyMap<string, string>;

type Listed = Readonly<{
  metadata: { name: string; uid: string; resourceVersion: string; annotations?: Record<string, string> };
  spec: { replicas?: number; taints?: { key: string }[] };
  status: { readyReplicas?: number; conditions?: { type: string; status: string }[] };
}>;

/** Replicas and annotations of the Deployments, Machines to the last write, whether the nodes are ready and have no taint. */
export async function readShootState(
  seed: RealApiServer,
  namespace: string,
  shoot: RealApiServer,
): Promise<ShootState> {
  const [deployments, machines, nodes] = await Promise.all([
    list(seed, `/apis/apps/v1/namespaces/${namespace}/deployments`),
    list(seed, `/apis/machine.sapcloud.io/v1alpha1/namespaces/${namespace}/machines`),
    list(shoot, '/api/v1/nodes'),
  ]);
  return new Map([
    ...deployments.map(({ metadata, spec, status }): [string, string] => [
      metadata.name,
      `${status.readyReplicas ?? 0} of ${spec.replicas} ready, annotations ${JSON.stringify(metadata.annotations ?? {})}`,
    ]),
    ...machines.map(({ metadata: { name, uid, resourceVersion } }): [string, string] => [
      `Machine ${name}`,
      `${uid} at ${resourceVersion}`,
    ]),
    ...nodes.map(({ metadata: { name, uid }, spec, status }): [string, string] => {
      const ready = status.conditions?.find(({ type }) => type === 'Ready')?.status;
      return [
        `node ${name}`,
        `${uid}, Ready ${ready}, taints ${JSON.stringify(spec.taints?.map(({ key }) => key) ?? [])}`,
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

async function list(server: RealApiServer, path: string): Promise<readonly Listed[]> {
  return (await server.call('GET', path)).body['items'] as readonly Listed[];
}
