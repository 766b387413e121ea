import type { Instant } from '../../domain/time.ts';
import type { JsonObject } from '../store/kube-object.ts';
import { backOffMessage, type ContainerRole, type ContainerView, imageOf, podStatus } from './pod-status.ts';

type PodDraft = Readonly<{
  name: string;
  namespace: string;
  now: Instant;
  labels?: Readonly<Record<string, string>>;
  /** Unless given, one that runs, with the name of the pod. */
  containers?: readonly ContainerView[];
  /** What keeps the pod there; one of its own unless given. */
  owner?: Readonly<{ kind: string; name: string; uid: string }> | null;
  ips?: readonly string[];
  /** Empty where no node runs it; then its deletion does not wait. */
  nodeName?: string;
}>;

/** A pod to be created; ready unless its containers say otherwise. */
export function podObject(draft: PodDraft): JsonObject {
  const { name, namespace, now, labels = {}, nodeName = 'seed-worker-1', ips = ['100.64.0.1'] } = draft;
  const { containers = [runningContainer(name, now)] } = draft;
  const { owner = { kind: 'ReplicaSet', name: `of-${name}`, uid: `uid-of-${name}` } } = draft;
  const specs = (wanted: (role: ContainerRole) => boolean): readonly JsonObject[] =>
    containers
      .filter(({ role }) => wanted(role))
      .map(({ name, role }) => ({
        name,
        image: imageOf(name),
        ...(role === 'sidecar' ? { restartPolicy: 'Always' } : {}),
      }));
  const early = specs((role) => role !== 'main');
  const ofOwner = { apiVersion: 'apps/v1', ...owner, controller: true, blockOwnerDeletion: true };
  return {
    metadata: { name, namespace, labels, ...(owner === null ? {} : { ownerReferences: [ofOwner] }) },
    spec: {
      ...(early.length === 0 ? {} : { initContainers: early }),
      containers: specs((role) => role === 'main'),
      ...(nodeName === '' ? {} : { nodeName }),
    },
    status: podStatus({ containers, startedAt: now, now, ips }),
  };
}

export function runningContainer(name: string, now: Instant, role: ContainerRole = 'main'): ContainerView {
  return { name, role, state: { state: 'running', startedAt: now }, ready: true, restarts: 0 };
}

/** A container that has exited so often that its kubelet leaves it alone for a while. */
export function crashLoopingContainer(name: string, now: Instant, role: ContainerRole = 'main'): ContainerView {
  const last = { state: 'terminated', exitCode: 1, startedAt: now - 5_000, finishedAt: now } as const;
  const message = backOffMessage(name, name, 40);
  return {
    name,
    role,
    state: { state: 'waiting', reason: 'CrashLoopBackOff', message },
    ready: false,
    restarts: 4,
    last,
  };
}
