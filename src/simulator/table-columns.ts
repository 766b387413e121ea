import { valueAt } from '../domain/value-at.ts';
import { isObject, type KubeObject } from './kube-object.ts';
import type { ResourceKind } from './resource-kind.ts';
import { workloadNumbers } from './workload-status.ts';

/** What kubectl shows of a kind beside the name and before the age. */
export type TableColumn = Readonly<{ name: string; cell: (object: KubeObject, kind: ResourceKind) => string }>;

const scalable: readonly TableColumn[] = [
  {
    name: 'Ready',
    cell: (object, kind) => {
      const { ready, desired } = workloadNumbers(kind, object);
      return `${ready}/${desired}`;
    },
  },
];

const columns: Readonly<Record<string, readonly TableColumn[]>> = {
  Deployment: [
    ...scalable,
    { name: 'Up-to-date', cell: (object) => textAt(object, 'status.updatedReplicas', '0') },
    { name: 'Available', cell: (object) => textAt(object, 'status.availableReplicas', '0') },
  ],
  Node: [
    { name: 'Status', cell: nodeStatus },
    { name: 'Version', cell: (object) => textAt(object, 'status.nodeInfo.kubeletVersion') },
  ],
  Lease: [
    { name: 'Holder', cell: (object) => textAt(object, 'spec.holderIdentity') },
    // Not among a real server's columns, but what one looks for here.
    { name: 'Renewed', cell: (object) => textAt(object, 'spec.renewTime') },
  ],
  Machine: [
    { name: 'Status', cell: (object) => textAt(object, 'status.currentStatus.phase') },
    { name: 'Node', cell: (object) => object.metadata.labels?.['node'] ?? '' },
  ],
  Secret: [{ name: 'Type', cell: (object) => textAt(object, 'type') }],
  Event: [
    { name: 'Type', cell: (object) => textAt(object, 'type') },
    { name: 'Reason', cell: (object) => textAt(object, 'reason') },
    {
      name: 'Object',
      cell: (object) => `${textAt(object, 'involvedObject.kind')}/${textAt(object, 'involvedObject.name')}`,
    },
    { name: 'Message', cell: (object) => textAt(object, 'message') },
  ],
};

export function columnsOf(kind: ResourceKind): readonly TableColumn[] {
  return columns[kind.kind] ?? (kind.scale === undefined ? [] : scalable);
}

function nodeStatus(object: KubeObject): string {
  const conditions = valueAt(object, 'status', 'conditions');
  const all: readonly unknown[] = Array.isArray(conditions) ? conditions : [];
  return all.some((one) => isObject(one) && one['type'] === 'Ready' && one['status'] === 'True') ? 'Ready' : 'NotReady';
}

function textAt(object: KubeObject, path: string, otherwise = ''): string {
  const value = valueAt(object, ...path.split('.'));
  return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;
}
