import type { Millis, Instant } from 'dependency-watchdog/domain/time.ts';
import { asObject, isObject, type JsonObject, secondTime } from '../store/kube-object.ts';

const shortest: Millis = 10_000;
const longest: Millis = 300_000;

/** A container that ran this long counts as healthy. */
const forgivenAfter: Millis = 600_000;

/**
 * How long the kubelet leaves an exited container in CrashLoopBackOff: not at all the first time, then 10 s, doubling up
 * to 5 min. `before` is what it answered the last time, undefined where the container never exited; `ran` how long the
 * container ran since.
 */
export function crashBackOff(before: Millis | undefined, ran: Millis): Millis {
  if (before === undefined || ran > forgivenAfter) return 0;
  return before === 0 ? shortest : Math.min(longest, 2 * before);
}

/** The kubelet looks for containers that exited once a second. */
const noticeTime: Millis = 500;

/**
 * How long after an exit the kubelet looks at the container again. One of 1.33 or later lets a back-off pass, but a minute at most, and by
 * `chance` in [0, 1) half as long again; `chance` is undefined for an older one.
 */
export function looksAgainAfter(backOff: Millis, chance: number | undefined): Millis {
  return chance === undefined || backOff === 0 ? noticeTime : Math.min(backOff, 60_000) * (1 + chance / 2);
}

/** Where Kubernetes lists a container: an init container that always restarts is a sidecar. */
export type ContainerRole = 'main' | 'init' | 'sidecar';

type Terminated = Readonly<{ state: 'terminated'; exitCode: number; startedAt: Instant; finishedAt: Instant }>;

type ContainerState =
  | Readonly<{ state: 'waiting'; reason: string; message?: string }>
  | Readonly<{ state: 'running'; startedAt: Instant }>
  | Terminated;

/** A container as its kubelet tells of it. */
export type ContainerView = Readonly<{
  name: string;
  role: ContainerRole;
  state: ContainerState;
  ready: boolean;
  restarts: number;
  /** How it ended the last time. */
  last?: Terminated | undefined;
}>;

export type PodRun = Readonly<{
  containers: readonly ContainerView[];
  startedAt: Instant;
  now: Instant;
  /** IPv4 first; none before its network is made. */
  ips: readonly string[];
  /** The status before, whose conditions keep their times where they hold still. */
  before?: JsonObject;
}>;

/** A pod's status as its kubelet writes it. */
export function podStatus({ containers, startedAt, now, ips, before = {} }: PodRun): JsonObject {
  const main = containers.filter(({ role }) => role === 'main');
  const early = containers.filter(({ role }) => role !== 'main');
  // An init container that is done counts as ready; a sidecar counts like a main one.
  const isInitialized = early.every(
    ({ role, ready, state }) => ready || (role === 'sidecar' && state.state !== 'waiting'),
  );
  const isReady = containers.every(({ ready }) => ready);
  const holds: readonly (readonly [string, boolean, string])[] = [
    ['PodReadyToStartContainers', ips.length > 0, ''],
    ['Initialized', isInitialized, 'ContainersNotInitialized'],
    ['Ready', isReady, 'ContainersNotReady'],
    ['ContainersReady', isReady, 'ContainersNotReady'],
    ['PodScheduled', true, ''],
  ];
  const hasBegun = main.some(({ state, last }) => state.state !== 'waiting' || last !== undefined);
  return {
    phase: hasBegun ? 'Running' : 'Pending',
    conditions: holds.map(([type, status, reason]) => conditionOf(before, type, status, reason, now)),
    hostIP: '10.250.0.1',
    ...(ips.length === 0 ? {} : { podIP: ips[0], podIPs: ips.map((ip) => ({ ip })) }),
    startTime: secondTime(startedAt),
    ...(early.length === 0 ? {} : { initContainerStatuses: early.map(containerStatus) }),
    containerStatuses: main.map(containerStatus),
    qosClass: 'BestEffort',
  };
}

/** As a kubelet tells of a container that waits in CrashLoopBackOff for so many seconds. */
export function backOffMessage(container: string, pod: string, seconds: number): string {
  const length = seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
  return `back-off ${length} restarting failed container=${container} pod=${pod}`;
}

function containerStatus({ name, state, ready, restarts, last }: ContainerView): JsonObject {
  return {
    name,
    state: stateOf(state),
    lastState: last === undefined ? {} : stateOf(last),
    ready,
    started: state.state === 'running',
    restartCount: restarts,
    image: imageOf(name),
    imageID: '',
  };
}

function imageOf(container: string): string {
  return `registry.example/${container}:v1`;
}

function stateOf(container: ContainerState): JsonObject {
  switch (container.state) {
    case 'waiting': {
      const { reason, message } = container;
      return { waiting: { reason, ...(message === undefined ? {} : { message }) } };
    }
    case 'running':
      return { running: { startedAt: secondTime(container.startedAt) } };
    case 'terminated': {
      const { exitCode, startedAt, finishedAt } = container;
      const times = { startedAt: secondTime(startedAt), finishedAt: secondTime(finishedAt) };
      return { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', ...times } };
    }
  }
}

function conditionOf(before: JsonObject, type: string, holds: boolean, reason: string, now: Instant): JsonObject {
  const status = holds ? 'True' : 'False';
  const conditions: readonly unknown[] = Array.isArray(before['conditions']) ? before['conditions'] : [];
  const was = asObject(conditions.find((one) => isObject(one) && one['type'] === type));
  const lastTransitionTime = was['status'] === status ? was['lastTransitionTime'] : secondTime(now);
  return { type, status, ...(holds || reason === '' ? {} : { reason }), lastProbeTime: null, lastTransitionTime };
}

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
      restartPolicy: 'Always',
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
