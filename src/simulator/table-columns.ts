import { valueAt } from '../domain/value-at.ts';
import { asObject, isObject, type KubeObject } from './kube-object.ts';
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
  Pod: [
    { name: 'Ready', cell: podReadiness },
    { name: 'Status', cell: podState },
    { name: 'Restarts', cell: (object) => String(restartsOf(object)) },
  ],
  EndpointSlice: [
    { name: 'AddressType', cell: (object) => textAt(object, 'addressType') },
    { name: 'Endpoints', cell: (object) => String(listAt(object, 'endpoints').length) },
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

function podReadiness(object: KubeObject): string {
  const containers = listAt(object, 'status.containerStatuses');
  const ready = containers.filter((one) => valueAt(one, 'ready') === true).length;
  return `${ready}/${listAt(object, 'spec.containers').length}`;
}

/** As kubectl sums a pod up: that it ends, why one of its containers waits or ended, or its phase. */
function podState(object: KubeObject): string {
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const states = statusesOf(object).map((status) => asObject(valueAt(status, 'state')));
  const reasons = states.flatMap((state) => [
    valueAt(state, 'waiting', 'reason'),
    valueAt(state, 'terminated', 'exitCode') === 0 ? undefined : valueAt(state, 'terminated', 'reason'),
  ]);
  const reason = reasons.find((one) => typeof one === 'string');
  return typeof reason === 'string' ? reason : textAt(object, 'status.phase');
}

function restartsOf(object: KubeObject): number {
  return statusesOf(object).reduce<number>((sum, status) => sum + Number(valueAt(status, 'restartCount') ?? 0), 0);
}

function statusesOf(object: KubeObject): readonly unknown[] {
  return [...listAt(object, 'status.initContainerStatuses'), ...listAt(object, 'status.containerStatuses')];
}

function listAt(object: KubeObject, path: string): readonly unknown[] {
  const value = valueAt(object, ...path.split('.'));
  return Array.isArray(value) ? value : [];
}

function textAt(object: KubeObject, path: string, otherwise = ''): string {
  const value = valueAt(object, ...path.split('.'));
  return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;
}
