import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { type JsonObject, withValueAt, microTime, secondTime, asObject } from '../store/kube-object.ts';
import { type ResourceKind, withPods } from '../store/resource-kind.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { replaceObject, type Storage } from '../store/object-writes.ts';
import type { Revision } from '../store/revision.ts';

/** The Cluster of a shoot that was reconciled and is awake, as gardenlet writes it. */
export function clusterObject(shoot: string): JsonObject {
  return {
    metadata: { name: shoot },
    spec: {
      cloudProfile: { apiVersion: 'core.gardener.cloud/v1beta1', kind: 'CloudProfile' },
      seed: { apiVersion: 'core.gardener.cloud/v1beta1', kind: 'Seed' },
      shoot: {
        apiVersion: 'core.gardener.cloud/v1beta1',
        kind: 'Shoot',
        metadata: { name: shoot.split('--').at(-1), namespace: `garden-${shoot.split('--').at(1) ?? 'local'}` },
        spec: {
          kubernetes: { version: '1.34.4', kubeControllerManager: {} },
          provider: { type: 'local', workers: [workerPool] },
        },
        status: { lastOperation: { type: 'Reconcile', state: 'Succeeded', progress: 100 }, hibernated: false },
      },
    },
  };
}

/** The one pool that an embedded shoot's nodes are in. */
export const workerPool = {
  name: 'worker',
  minimum: 1,
  maximum: 100,
  machine: { type: 'local', image: { name: 'local', version: '1.0.0' } },
} as const;

/** An embedded shoot's nodes are in these by turns. */
export const zoneNames = ['zone-a', 'zone-b', 'zone-c'] as const;

const zoneLabel = 'topology.kubernetes.io/zone';

export function nodeObject(node: string, now: Instant, zone?: string): JsonObject {
  return {
    metadata: {
      name: node,
      labels: {
        'kubernetes.io/hostname': node,
        'worker.gardener.cloud/pool': workerPool.name,
        ...(zone === undefined ? {} : { [zoneLabel]: zone }),
      },
      annotations: { 'node.alpha.kubernetes.io/ttl': '0' },
    },
    spec: { providerID: `local:///${node}` },
    status: {
      capacity: { cpu: '4', memory: '16Gi', pods: '110' },
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', now),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', now),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID', now),
        condition('Ready', 'True', 'KubeletReady', now),
      ],
      nodeInfo: { kubeletVersion: 'v1.34.4', osImage: 'Garden Linux', architecture: 'amd64' },
    },
  };
}

export type NodeCondition = Readonly<{ type: string; status: string; reason: string; lastTransitionTime: string }>;

export function condition(type: string, status: string, reason: string, now: Instant): NodeCondition {
  return { type, status, reason, lastTransitionTime: secondTime(now) };
}

export function machineObject(shoot: string, node: string): JsonObject {
  return {
    metadata: { name: `${shoot}-${node}`, namespace: shoot, labels: { node, name: workerPool.name } },
    spec: { class: { kind: 'MachineClass', name: `${shoot}-${workerPool.name}` }, providerID: `local:///${node}` },
    status: { node, currentStatus: { phase: 'Running', lastUpdateTime: '2026-01-01T00:00:00Z' } },
  };
}

export function leaseObject(node: string, renewedAt: Instant): JsonObject {
  return {
    metadata: {
      name: node,
      namespace: 'kube-node-lease',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node }],
    },
    spec: { holderIdentity: node, leaseDurationSeconds: 40, renewTime: microTime(renewedAt) },
  };
}

export function kubeconfigSecret(shoot: string, name: string, kubeconfig: string): JsonObject {
  return {
    metadata: { name, namespace: shoot, labels: { 'resources.gardener.cloud/purpose': 'token-requestor' } },
    type: 'Opaque',
    data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
  };
}

/** A dependant with all its pods ready. */
export function workloadObject(kind: ResourceKind, shoot: string, name: string, replicas: number): JsonObject {
  const labels = { app: 'kubernetes', role: name };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name, image: `registry.example/${name}:v1.34.4` }] },
  };
  const draft = {
    metadata: { name, namespace: shoot, labels },
    spec: kind.custom === true ? {} : { selector: { matchLabels: labels }, template },
    status: { observedGeneration: 1 },
  };
  const scaled = withValueAt(draft, kind.scale?.specReplicas ?? ['spec', 'replicas'], replicas);
  return withPods(kind, scaled, replicas, replicas);
}

/** The node's condition Ready: `True`, `False`, `Unknown`; undefined where there is no such node. */
export function readinessOf(storage: Storage, node: string): string | undefined {
  const current = storage.store.of(kinds.node).get(node);
  return current && readyIn(conditionsOf(current));
}

/** Of a node that has none, or is none, undefined. */
export function zoneOf(storage: Storage, node: string): string | undefined {
  return storage.store.of(kinds.node).get(node)?.object.metadata.labels?.[zoneLabel];
}

/** Sets the condition Ready where it is another one, and leaves the rest of the node alone. */
export function markReady(storage: Storage, node: string, status: string, reason: string, now: Instant): void {
  const current = storage.store.of(kinds.node).get(node);
  if (current === undefined) return;
  const conditions = conditionsOf(current);
  if (readyIn(conditions) === status) return;
  const others = conditions.filter(({ type }) => type !== 'Ready');
  const marked = {
    ...asObject(current.object['status']),
    conditions: [...others, condition('Ready', status, reason, now)],
  };
  replaceObject(storage, kinds.node, current, { ...current.object, status: marked }, 'status');
}

function readyIn(conditions: readonly NodeCondition[]): string | undefined {
  return conditions.find(({ type }) => type === 'Ready')?.status;
}

function conditionsOf({ object }: Revision): readonly NodeCondition[] {
  const { conditions } = asObject(object['status']);
  return Array.isArray(conditions) ? (conditions as readonly NodeCondition[]) : [];
}
