import type { KubernetesObject, V1Pod, V1PodSpec } from '@kubernetes/client-node';
import {
  crashLoopingContainer,
  podStatus,
  runningContainer,
  type ContainerView,
} from '@dwd/simulator/workloads/pod-status.ts';
import { follow, type Stored } from './follow.ts';
import { mergePatch, scenarioLabel, tolerating, type OperatorClient } from './operator-client.ts';

/** The node that bears the pods of control planes; its kubelet never fails. */
export const seedNode = 'scenario-seed-node';

type KubePod = Stored<V1Pod>;

export type Fate = 'ready' | 'crashLooping' | 'initCrashLooping';

/** A pod's state as its kubelet last reported it; `new` before the first report. */
export type PlayedPod = Readonly<{ item: KubePod; state: Fate | 'new' | 'ending' }>;

const lag = 200;

/**
 * The kubelet of the pods of one namespace, whoever made them: it turns each new one to what `fateOf` says, and lets those
 * go that are deleted. It knows no back-off, so that a pod which crash-loops does so until somebody deletes it.
 */
export class PlayedPods {
  /** The pods that somebody deleted, in order, with their state at that time. */
  readonly deleted: Readonly<{ name: string; uid: string; role: string; state: PlayedPod['state']; at: number }>[] = [];
  /** The fate of a new pod of a role. */
  fateOf: (role: string) => Fate = () => 'ready';
  /** Called with each change. */
  changed: () => void = () => undefined;
  readonly #operator: OperatorClient;
  readonly #namespace: string;
  readonly #signal: AbortSignal;
  readonly #pods = new Map<string, PlayedPod>();

  constructor(operator: OperatorClient, namespace: string, signal: AbortSignal) {
    this.#operator = operator;
    this.#namespace = namespace;
    this.#signal = signal;
    follow<V1Pod>(
      operator,
      `/api/v1/namespaces/${namespace}/pods`,
      () => operator.core.listNamespacedPod({ namespace }),
      { changed: (pod) => this.#onChanged(pod), deleted: (pod) => this.#onDeleted(pod) },
      signal,
    );
  }

  /** The pods of a role, by default of all roles, without those that are ending. */
  of(role?: string): readonly PlayedPod[] {
    return [...this.#pods.values()].filter(
      ({ item, state }) => state !== 'ending' && (role === undefined || roleOf(item) === role),
    );
  }

  /** Changes the fate of the pods that exist already. */
  async turn(role: string, fate: Fate): Promise<void> {
    await Promise.all(this.of(role).map(({ item }) => this.#tell(item, fate)));
  }

  async turnOne(item: KubePod, fate: Fate): Promise<void> {
    await this.#tell(item, fate);
  }

  /** A pod that nobody's controller makes. `of`: what it belongs to all the same. */
  async create(name: string, role: string, of: Readonly<{ kind: string; name: string; uid: string }>): Promise<void> {
    const ownerReferences = [{ apiVersion: 'apps/v1', ...of, controller: true }];
    const body: V1Pod = { metadata: { name, labels: labelsOf(role), ownerReferences }, spec: podSpec };
    const made = (await this.#operator.core.createNamespacedPod({
      namespace: this.#namespace,
      body,
    })) as KubePod;
    // The watch tells it later; who counts pods meanwhile must not miss it.
    if (!this.#pods.has(made.metadata.uid)) this.#onChanged(made);
  }

  /** Deletes a pod at once. It does not count as somebody else's deletion. */
  async remove(item: KubePod): Promise<void> {
    const { name, uid } = item.metadata;
    this.#pods.set(uid, { item, state: 'ending' });
    const body = { gracePeriodSeconds: 0, preconditions: { uid } };
    const { core } = this.#operator;
    await tolerating([404, 409], core.deleteNamespacedPod({ namespace: this.#namespace, name, body }));
  }

  #onDeleted({ metadata: { uid } }: KubePod): void {
    const known = this.#pods.get(uid);
    if (known !== undefined && known.state !== 'ending') this.#note(known);
    this.#pods.delete(uid);
    this.changed();
  }

  #onChanged(pod: KubePod): void {
    const { uid, deletionTimestamp } = pod.metadata;
    const known = this.#pods.get(uid);
    if (deletionTimestamp !== undefined) {
      if (known?.state === 'ending') return;
      this.#note(known ?? { item: pod, state: 'new' });
      this.#pods.set(uid, { item: pod, state: 'ending' });
      this.#later(() => this.remove(pod));
    } else if (known === undefined) {
      this.#pods.set(uid, { item: pod, state: 'new' });
      this.#later(() => this.#tell(pod, this.fateOf(roleOf(pod))));
    }
    this.changed();
  }

  #note({ item, state }: PlayedPod): void {
    const { name, uid } = item.metadata;
    this.deleted.push({ name, uid, role: roleOf(item), state, at: Date.now() });
  }

  #later(act: () => Promise<void>): void {
    setTimeout(() => {
      if (this.#signal.aborted) return;
      act().catch((error: unknown) => {
        if (!this.#signal.aborted) process.stderr.write(`the played kubelet: ${String(error)}\n`);
      });
    }, lag);
  }

  async #tell(item: KubePod, fate: Fate): Promise<void> {
    const { uid, name } = item.metadata;
    const known = this.#pods.get(uid);
    if (known === undefined || known.state === 'ending') return;
    this.#pods.set(uid, { item, state: fate });
    const { core } = this.#operator;
    const body = { metadata: { uid }, status: statusOf(fate) };
    const written = core.patchNamespacedPodStatus({ namespace: this.#namespace, name, body }, mergePatch);
    await tolerating([404, 409], written);
    this.changed();
  }
}

export function roleOf({ metadata }: Stored<KubernetesObject>): string {
  return metadata.labels?.['role'] ?? '';
}

/** What each pod of a control plane in Gardener bears, and its own role. */
export function labelsOf(role: string): Record<string, string> {
  return { 'gardener.cloud/role': 'controlplane', role, [scenarioLabel]: 'true' };
}

/** Bound to a node, so that no scheduler is needed, and no image. */
export const podSpec: V1PodSpec = {
  nodeName: seedNode,
  terminationGracePeriodSeconds: 2,
  automountServiceAccountToken: false,
  tolerations: [{ operator: 'Exists' }],
  initContainers: [{ name: 'init', image: 'scenario' }],
  containers: [{ name: 'main', image: 'scenario' }],
};

function statusOf(fate: Fate): object {
  const now = Date.now();
  const done = { state: 'terminated', exitCode: 0, startedAt: now, finishedAt: now } as const;
  const initializing = { state: 'waiting', reason: 'PodInitializing' } as const;
  const init: ContainerView =
    fate === 'initCrashLooping'
      ? crashLoopingContainer('init', now, 'init')
      : { name: 'init', role: 'init', state: done, ready: true, restarts: 0 };
  const mains: Readonly<Record<Fate, ContainerView>> = {
    ready: runningContainer('main', now),
    crashLooping: crashLoopingContainer('main', now),
    initCrashLooping: { name: 'main', role: 'main', state: initializing, ready: false, restarts: 0 },
  };
  return podStatus({ containers: [init, mains[fate]], startedAt: now, now, ips: ['10.1.1.1'] });
}
