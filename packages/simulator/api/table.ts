import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { type JsonObject, asObject, isObject, type KubeObject } from '../store/kube-object.ts';
import { type ResourceKind, workloadNumbers } from '../store/resource-kind.ts';
import type { Revision } from '../store/revision.ts';
import { valueAt } from 'dependency-watchdog/domain/value-at.ts';

/** A `meta.k8s.io/v1` Table; the metadata is the list's. */
export function tableAnswer(
  kind: ResourceKind,
  revisions: readonly Revision[],
  metadata: JsonObject,
  now: Instant,
): string {
  const columns = columnsOf(kind);
  const names = ['Name', ...columns.map(({ name }) => name), 'Age'];
  return JSON.stringify({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: names.map((name) => ({
      name,
      type: 'string',
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority: 0,
    })),
    rows: revisions.map(({ object }) => ({
      cells: [
        object.metadata.name,
        ...columns.map(({ cell }) => cell(object, kind)),
        age(now - Date.parse(object.metadata.creationTimestamp)),
      ],
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
    })),
  });
}

/** `42s`, `12m`, `5h`, `3d`: as coarse as kubectl's. */
function age(length: number): string {
  const seconds = Math.max(0, Math.floor(length / 1_000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 2 * 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** What kubectl shows of a kind beside the name and before the age. */
type TableColumn = Readonly<{ name: string; cell: (object: KubeObject, kind: ResourceKind) => string }>;

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
    // A real server has no such column, but it is what a reader looks for here.
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

function columnsOf(kind: ResourceKind): readonly TableColumn[] {
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

/** The status that kubectl shows for a pod: that it ends, why one of its containers waits or ended, or its phase. */
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
