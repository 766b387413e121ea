import { V1MicroTime, type V1Lease } from '@kubernetes/client-node';
import { nodeObject } from '@dwd/simulator/shoot/shoot-objects.ts';
import type { RealApiServer } from './api-server.ts';

const namespace = 'kube-node-lease';
export const nodeLeases: string = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

/** A node with its lease, as a kubelet that comes makes them; what it made before it was cut off stays as it is. `ahead`: see `PlayedKubelets`. */
export async function joinNode(server: RealApiServer, name: string, ahead?: number): Promise<void> {
  const { status, ...node } = nodeObject(name, Date.now());
  await server.call('POST', '/api/v1/nodes', node, [409]);
  await server.call('PATCH', `/api/v1/nodes/${name}/status`, { status });
  await server.call('POST', nodeLeases, ownerlessLease(name, ahead), [409]);
}

/** A lease as a kubelet makes it, but for its owner: one without uid would have it collected as garbage. */
export function ownerlessLease(name: string, ahead = 0): V1Lease {
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: new V1MicroTime(Date.now() + ahead) };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec };
}
